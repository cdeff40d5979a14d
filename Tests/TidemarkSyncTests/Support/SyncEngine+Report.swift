import TidemarkSync

extension SyncEngine {
    /// Pulls, and returns the report even if nothing could be pulled.
    func report(_ options: PullOptions = PullOptions()) async throws -> SyncReport {
        do {
            return try await pull(with: options)
        } catch let failure as SyncFailure {
            return failure.report
        }
    }
}
