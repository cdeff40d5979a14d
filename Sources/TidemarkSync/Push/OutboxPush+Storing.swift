import TidemarkRemote
import TidemarkStore

/// Requests are stored before they are sent.
extension OutboxPush {
    /// Stores the request of a change; nil if the change does not exist any more.
    nonisolated func store(
        _ change: FrozenChange,
        by writer: OutboxWriter,
        after progress: PushProgress
    ) throws -> FrozenChange? {
        let number = change.change.number
        var sent = change
        sent.showsFailingVersion = progress.hasFailingVersion(change.request, of: number)
        if sent.showsFailingVersion {
            sent.request.version = nil
            try ListFacts(db: writer.db).recordFailingVersion(change.resource.path)
        }
        guard try writer.freeze(number, sent.request, by: run.lease.token) else { return nil }
        sent.isRepeated = progress.isRepeated(sent.request, of: number)
        sent.attempt = progress.references.attempt(of: number)
        return sent
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
            guard let url = try builder.url(repeating: request, of: change, in: resource),
                try writer.resend(change.number, by: run.lease.token)
            else { return nil }
            return try builder.frozen(
                change,
                with: request,
                to: url,
                in: resource,
                limits: run.limits
            )
        } catch is RemoteError {
            // Another program has written a path that leads to another origin.
            return nil
        }
    }
}
