import TidemarkRemote
import TidemarkStore

/// Requests are stored before they are sent.
extension OutboxPush {
    /// Stores the request of a change; nil if the change does not exist any more.
    nonisolated func store(
        _ sent: RequestBuilder.AddressedRequest,
        of change: CapturedChange,
        to path: String,
        by builder: RequestBuilder,
        recording writer: OutboxWriter,
        after progress: PushProgress
    ) throws -> FrozenChange? {
        var sent = sent
        var earlier = EarlierRequests()
        earlier.showsFailingVersion = progress.hasFailingVersion(sent.request, of: change.number)
        if earlier.showsFailingVersion {
            sent.request.version = nil
            try builder.facts.recordFailingVersion(path)
        }
        guard try writer.freeze(change.number, sent.request, by: run.lease.token) else {
            return nil
        }
        earlier.isRepeated = progress.isRepeated(sent.request, of: change.number)
        earlier.references = progress.references.attempt(of: change.number)
        return try builder.frozen(change, with: sent, after: earlier)
    }

    /// Returns the stored request of a change, to be sent once more; nil if that is impossible.
    nonisolated func resend(
        _ change: CapturedChange,
        in resource: RemoteResource,
        by builder: RequestBuilder,
        recording writer: OutboxWriter
    ) throws -> FrozenChange? {
        guard let request = try writer.storedRequest(of: change.number) else { return nil }
        do {
            guard let sent = try builder.addressed(repeating: request, of: change, in: resource),
                try writer.resend(change.number, by: run.lease.token)
            else { return nil }
            return try builder.frozen(change, with: sent)
        } catch is RemoteError {
            // Another program has written a path that leads to another origin.
            return nil
        }
    }
}
