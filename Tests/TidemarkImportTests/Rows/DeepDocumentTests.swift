import Foundation
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Documents that are nested as deep as the limit allows.
struct DeepDocumentTests {
    private func store() throws -> Store {
        try .of(
            .named(
                "User",
                [],
                .one("boss", "User", inverse: "staff"),
                .many("staff", "User", inverse: "boss"),
                .one("friend", "User")
            )
        )
    }

    /// Imports a document on a thread with a stack of 512 KiB, the default size for secondary
    /// threads on Apple platforms.
    private func load(_ json: String) async throws -> String {
        let store = try store()
        let report = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: Result { try store.report("User", json) }
                )
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        return try report.get().text
    }

    private func nested(_ member: String, _ close: String, levels: Int) -> String {
        let open = (1...levels).map { #"{"id": \#($0), "\#(member)": "# }
        return "[" + open.joined() + "null" + String(repeating: close, count: levels) + "]"
    }

    @Test func `nested lists of objects are imported on a small stack`() async throws {
        let json = nested("staff", "]}", levels: 127).replacingOccurrences(
            of: #""staff": "#,
            with: #""staff": ["#
        )
        #expect(try await load(json) == "User +127")
    }

    @Test func `nested objects are imported on a small stack`() async throws {
        #expect(try await load(nested("friend", "}", levels: 255)) == "User +255")
        #expect(try await load(nested("boss", "}", levels: 255)) == "User +255")
    }

    @Test func `a document nested deeper than the limit throws`() async throws {
        await #expect(throws: JSONError.self) {
            try await load(nested("friend", "}", levels: 256))
        }
    }
}
