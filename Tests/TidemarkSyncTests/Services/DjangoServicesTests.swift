import HTTPTypes
import Testing
import TidemarkImport
import TidemarkRemote
import TidemarkSync
import TidemarkTesting

/// Pulls from a Django REST framework service that is running for tests.
@Suite(
    .serialized,
    .enabled(
        if: RealMirror.address("DRF") != nil,
        "TIDEMARK_TEST_DRF is not set: Django is not tested. `make test-services` starts it."
    )
)
struct DjangoServicesTests {
    @Test(arguments: SocketTransport.allCases)
    func `changes that are made while changes are read are not skipped`(
        _ socketTransport: SocketTransport
    ) async throws {
        let mirror = try await RealService.djangoNumbers.changingMirror()
        let ids = try await mirror.create(10)
        try await socketTransport.run { transport in
            try await mirror.pull(over: transport)
            for id in ids.prefix(7) { try await mirror.change(id, ["title": "changed"]) }
            let log = RequestLog(transport)
            // A changed object moves to the end of the list, and those after it move up by one.
            log.before(2) { try await mirror.change(ids[0], ["title": "changed again"]) }
            log.before(3) { try await mirror.change(ids[4], ["title": "changed again"]) }
            #expect(try await mirror.pull(over: log).failure == nil)
            try await mirror.pull(over: transport)
            try await mirror.expectInSync()
        }
    }
}
