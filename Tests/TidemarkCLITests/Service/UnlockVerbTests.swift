import Foundation
import GRDB
import Testing

/// `tidemark unlock`: the lease of a pull on a host that no longer exists.
@Suite(.timeLimit(.minutes(40)))
struct UnlockVerbTests {
    @Test func `the lease of another host is released, and a pull succeeds`() async throws {
        try await Shop.open { shop in
            try await shop.fill()
            try await DatabaseQueue(path: shop.folder.path("shop.db")).write { db in
                try db.execute(
                    sql: """
                        INSERT INTO _tidemark_lease (_id, token, host, process, started, expires) \
                        VALUES (1, 'theirs', 'elsewhere', 7, 1, strftime('%s') + 3600.0)
                        """
                )
            }
            let busy = try await shop.folder.run("pull")
            #expect(busy.status == 75)
            #expect(busy.stderr.contains("process 7 on elsewhere"))
            #expect(busy.stderr.contains("tidemark unlock"))
            let released = try await shop.folder.done("unlock", "--store", "shop.db")
            #expect(released.stdout == "Released the lease of process 7 on elsewhere.\n")
            let none = try await shop.folder.done(
                "unlock",
                "--store",
                "shop.db",
                "--format",
                "json"
            )
            #expect(try none.json() == ["released": nil])
            _ = try await shop.folder.done("pull")
        }
    }
}
