import TidemarkRemote

@testable import TidemarkSync

extension PullStateMachine.Action {
    /// The action as a line of text, as the tables of the tests contain it.
    var line: String {
        switch self {
        case .fetch(let fetch, _):
            let mode =
                switch fetch.request.mode {
                case .list: "list"
                case .keys: "keys"
                case .changes(let since): "changes since \(since)"
                }
            let condition =
                switch fetch.revalidation {
                case .allPages: ""
                case .ownPages: ", with own cached pages"
                case .none: ", without cached pages"
                }
            return "fetch \(mode) page \(fetch.request.number)\(condition)"
        case .apply: return "apply"
        case .mark: return "mark"
        case .finish(let end):
            let rows = end.deletesUnlistedRows ? "unlisted rows" : "nothing"
            let condition = end.confirmation.map { " if \($0.digest ?? "nothing")" } ?? ""
            return "finish, deleting \(rows)\(condition)"
        case .count: return "count"
        case .end(let outcome):
            return "end \(outcome.ending)\(outcome.problem.map { ": \($0)" } ?? "")"
        }
    }
}
