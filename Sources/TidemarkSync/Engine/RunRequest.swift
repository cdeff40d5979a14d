/// The work that a call asks an engine for.
///
/// Two calls with equal requests share one run.
enum RunRequest: Sendable, Hashable {
    case pull(PullOptions)
    case push
    case sync(PullOptions)

    /// Whether the work contains a push.
    var pushes: Bool {
        switch self {
        case .pull: false
        case .push, .sync: true
        }
    }
}
