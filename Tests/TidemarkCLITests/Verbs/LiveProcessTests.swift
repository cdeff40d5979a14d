import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Live results of a store that another process of `tidemark` changes.
struct LiveProcessTests {
    @Test func `a list follows what another process writes within one poll`() async throws {
        let folder = try await Sample.filled()
        let store = try Store.openReadOnly(at: folder.path("s.db"))
        let clock = PollClock(.manual())
        let request = RecordRequest("Note", sort: [.init("id")])
        var list = store.live(request, environment: clock.environment).makeAsyncIterator()
        func keys() async throws -> String? {
            try await list.next()?.map { $0["id"].requestText }.joined(separator: " ")
        }
        #expect(try await keys() == "10 11")
        let note = #"{"id": 12, "text": "five"}"#
        _ = try await folder.done("insert", "Note", "--store", "s.db", "--values", note)
        await clock.tick()
        #expect(try await keys() == "10 11 12")
        _ = try await folder.done("delete", "Note:10", "--store", "s.db")
        await clock.tick()
        #expect(try await keys() == "11 12")
    }

    @Test func `query --watch prints the rows again after each change by another process`()
        async throws
    {
        let folder = try await Sample.filled()
        let query = ["query", "Note", "--store", "s.db", "--columns", "id", "--format", "csv"]
        let outcome = try await folder.run(query + ["--watch", "--sort", "id"]) { command in
            try await command.prints("11\r\n")
            let note = #"{"id": 12, "text": "five"}"#
            _ = try await folder.done("insert", "Note", "--store", "s.db", "--values", note)
            try await command.prints("12\r\n")
            _ = try await folder.done("delete", "Note:10", "--store", "s.db")
            try await command.prints("id\r\n11\r\n12\r\n")
            command.send(SIGINT)
        }
        #expect(outcome.status == 128 + SIGINT)
        #expect(
            outcome.stdout == """
                id\r
                10\r
                11\r

                id\r
                10\r
                11\r
                12\r

                id\r
                11\r
                12\r

                """
        )
        #expect(outcome.stderr.isEmpty)
    }
}
