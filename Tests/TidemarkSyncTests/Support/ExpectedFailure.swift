import Testing
import TidemarkRemote
import TidemarkSync

/// Expects that a body throws an error of a service with a code.
func expect(
    failure code: RemoteError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Sendable
) async {
    let error = await #expect(throws: RemoteError.self, sourceLocation: sourceLocation) {
        _ = try await body()
    }
    #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
}

/// Expects that a body throws an error of the engine with a code.
func expect(
    failure code: SyncError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Sendable
) async {
    let error = await #expect(throws: SyncError.self, sourceLocation: sourceLocation) {
        _ = try await body()
    }
    #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
}
