import TidemarkRemote

/// What a run has attempted, as far as its next plan depends on it.
struct PushProgress: Sendable {
    /// The changes that the run has tried to send, with the number of attempts.
    var attempts: [Int64: Int] = [:]

    /// The requests of changes whose objects have to be read before the next attempt, because they
    /// were changed at the service meanwhile.
    var stale: [Int64: StoredRequest] = [:]

    /// The lists that accept no changes now, with the reason.
    var stopped: [String: RemoteError] = [:]

    /// How often a change is sent in one run whose object changes at the service again and again.
    private static let maximumAttempts = 3

    /// Returns whether a change may be sent in this run: for the first time, or once more because
    /// its object has changed.
    func mayAttempt(_ change: Int64) -> Bool {
        let made = attempts[change, default: 0]
        return made == 0 || stale[change] != nil && made < Self.maximumAttempts
    }

    /// Returns whether a request is the last of those that are sent in one run although the service
    /// finds them outdated, and is the same as the one before.
    func isRepeated(_ request: StoredRequest, of change: Int64) -> Bool {
        guard let earlier = stale[change] else { return false }
        return attempts[change, default: 0] >= Self.maximumAttempts
            && request.asksForSame(as: earlier)
    }
}
