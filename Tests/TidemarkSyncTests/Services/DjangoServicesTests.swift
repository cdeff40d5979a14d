import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a service made with Django REST framework that runs for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("DRF") != nil,
        "TIDEMARK_TEST_DRF is not set: Django is not tested. `make test-services` starts it."
    )
)
struct DjangoServicesTests {
    @Test(arguments: SocketTransport.allCases)
    func `changes that come while changes are read are not passed over`(
        _ carrier: SocketTransport
    ) async throws {
        let mirror = try await RealService.djangoNumbers.changingMirror()
        let ids = try await mirror.create(10)
        try await carrier.run { transport in
            try await mirror.pull(over: transport)
            for id in ids.prefix(7) { try await mirror.change(id, ["title": "changed"]) }
            let log = RequestLog(transport)
            // Each moves to the end of the list, and those behind it one place up.
            log.before(2) { try await mirror.change(ids[0], ["title": "changed again"]) }
            log.before(3) { try await mirror.change(ids[4], ["title": "changed again"]) }
            #expect(try await mirror.pull(over: log).failure == nil)
            try await mirror.pull(over: transport)
            try await mirror.expectAlike()
        }
    }
}
