/// The work that a call asks an engine for.
///
/// Two calls with equal requests share one run.
enum RunRequest: Sendable, Hashable {
    case pull(PullOptions)
    case push(PushOptions)
    case sync(PullOptions, PushOptions)
    case adopt(Adoption)

    /// Whether the work contains a push.
    var pushes: Bool { push != nil }

    /// The options of the push; nil if the work contains none.
    var push: PushOptions? {
        switch self {
        case .pull, .adopt: nil
        case .push(let options), .sync(_, let options): options
        }
    }
}
