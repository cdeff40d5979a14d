import TidemarkRemote

@testable import TidemarkSync

extension SyncCycle.Action {
    /// The action in words, as a table has them.
    var line: String {
        switch self {
        case .ask(let request, let isConditional):
            let purpose =
                switch request.purpose {
                case .list: "list"
                case .keys: "keys"
                case .changes(let since): "changes since \(since)"
                }
            return "ask \(purpose) page \(request.number)"
                + (isConditional ? "" : ", whatever is known")
        case .apply: return "apply"
        case .mark: return "mark"
        case .close(.nothing): return "close nothing"
        case .close(.unnamed): return "close unnamed"
        case .close(.unnamedIfSame(let digest)):
            return "close unnamed if \(digest ?? "nothing")"
        case .close(.nothingIfSame(let digest)):
            return "close nothing if \(digest ?? "nothing")"
        case .count: return "count"
        case .end(let ending): return "end \(ending)"
        }
    }
}
