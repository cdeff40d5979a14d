import HTTPTypes
import Synchronization
import TidemarkRemote
import TidemarkTesting

/// A transport to a fake service that injects faults into requests that change objects.
final class WriteFaults: Transport {
    private let fake: FakeService
    private let faults: Mutex<[FakeFault]>

    /// Creates a transport whose first changes have the faults, one after the other.
    convenience init(_ fake: FakeService, _ faults: FakeFault...) {
        self.init(fake, faults)
    }

    /// Creates a transport whose first changes have the faults, one after the other.
    init(_ fake: FakeService, _ faults: [FakeFault]) {
        self.fake = fake
        self.faults = Mutex(faults)
    }

    func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
        if request.method != .get, request.method != .head {
            let fault = faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let fault { fake.inject(fault, times: 1) }
        }
        return try await fake.send(request, body: body)
    }
}
