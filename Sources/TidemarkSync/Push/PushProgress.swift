import TidemarkRemote
import TidemarkStore

/// What a run has attempted, as far as its next plan depends on it.
struct PushProgress: Sendable {
    /// The changes that the run has tried to send, with the number of attempts.
    var attempts: [Int64: Int] = [:]

    /// The requests of changes whose objects have to be read before the next attempt, because they
    /// were changed at the service meanwhile.
    var stale: [Int64: StoredRequest] = [:]

    /// The changes whose responses have contradicted themselves: reading their objects decides.
    var contradicted: Set<Int64> = []
    /// The references that are sent in another form than that of the service's own objects.
    var references = ReferenceForms()

    /// The rows whose objects were read because what was accepted is in doubt.
    var resolvedDoubts: Set<RowReference> = []

    /// The lists that are stopped because requests to them have failed: without changes that were
    /// not sent, that is shown by those that are uncertain.
    var failing: Set<String> = []

    /// The lists that accept no changes now, with the reason.
    var stopped: [String: RemoteError] = [:]

    /// How often a change is sent in one run whose object changes at the service again and again.
    private static let maximumAttempts = 3

    /// Returns whether a change may be sent in this run: for the first time, or once more because
    /// its object has changed, or the service has rejected the form of a reference.
    func mayAttempt(_ change: Int64) -> Bool {
        let made = attempts[change, default: 0]
        return made == 0 || maySendAgain(change)
    }

    /// Returns whether a change that was attempted may be sent once more in this run.
    func maySendAgain(_ change: Int64) -> Bool {
        let isDue =
            stale[change] != nil || contradicted.contains(change)
            || references.attempt(of: change) != nil
        return isDue && attempts[change, default: 0] < Self.maximumAttempts
    }

    /// Returns whether a request is the last of those that are sent in one run although the service
    /// finds them outdated, and is the same as the one before.
    func isRepeated(_ request: StoredRequest, of change: Int64) -> Bool {
        guard let earlier = stale[change] else { return false }
        return attempts[change, default: 0] >= Self.maximumAttempts
            && request.asksForSame(as: earlier)
    }

    /// Returns whether the service finds the version in a request outdated although the object,
    /// which was read since, has the same one.
    ///
    /// A proxy that compresses responses may add a suffix to their entity tags, which the service
    /// then does not recognize.
    func hasFailingVersion(_ request: StoredRequest, of change: Int64) -> Bool {
        guard let earlier = stale[change], request.version != nil,
            request.version != StoredRequest.absent
        else { return false }
        return request.asksForSame(as: earlier)
    }
}
