import Foundation
import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Responses that take longer than a lease is valid without renewal.
struct SlowResponseTests {
    /// A transport that delivers bodies in chunks, 25 s after each other.
    private struct SlowTransport: Transport {
        let base: any Transport
        let clock: ManualClock
        let atEnd: @Sendable () async throws -> Void

        func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
            var response = try await base.send(request, body: body)
            var bytes: [UInt8] = []
            for try await chunk in response.body { bytes += chunk }
            let left = Locked(bytes[...])
            response.body = ResponseBody {
                clock.advance(by: .seconds(25))
                let chunk = left.withLock { left in
                    defer { left = left.dropFirst(16) }
                    return Array(left.prefix(16))
                }
                if chunk.isEmpty { try await atEnd() }
                return chunk.isEmpty ? nil : chunk
            }
            return response
        }
    }

    @Test func `a pull with slow responses keeps its lease`() async throws {
        let mirror = try Mirror(.rest, notes: 12, page: 4)
        var otherHost = mirror.clock.environment
        otherHost.process = { ProcessIdentity(host: "elsewhere", number: 2, started: 2) }
        let concurrentEngine = try mirror.engine(otherHost)
        let codes = Locked<[SyncError.Code]>([])
        let slow = SlowTransport(base: mirror.fake, clock: mirror.clock) {
            do {
                _ = try await concurrentEngine.pull()
            } catch let error as SyncError {
                codes.withLock { $0.append(error.code) }
            }
        }
        let start = mirror.clock.environment.now()
        let engine = try mirror.engine(over: slow) { $0.http.idleTimeout = .seconds(30) }
        let report = try await engine.pull()
        #expect(mirror.clock.environment.now().timeIntervalSince(start) > 3 * 100)
        #expect(report.isComplete)
        #expect(codes.withLock { $0 } == [.busy, .busy, .busy])
        #expect(try mirror.local() == mirror.remote)
    }
}
