/// The work that a call asks an engine for.
///
/// Two calls with equal requests share one run.
enum RunRequest: Sendable, Hashable {
    case pull(PullOptions)
    case push
    case sync(PullOptions)
}
