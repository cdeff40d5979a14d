import TidemarkRemote

@testable import TidemarkSync

extension PullStateMachine.Action {
    /// The action as a line of text, as the tables of the tests contain it.
    var line: String {
        switch self {
        case .ask(let request, let revalidation):
            let mode =
                switch request.mode {
                case .list: "list"
                case .keys: "keys"
                case .changes(let since): "changes since \(since)"
                }
            let condition =
                switch revalidation {
                case .allPages: ""
                case .ownPages: ", trusting own pages"
                case .none: ", whatever is known"
                }
            return "ask \(mode) page \(request.number)\(condition)"
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
