import Dispatch
import Foundation
import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The depth of exported documents: rows are embedded no deeper than an import reads.
struct ExportDepthTests {
    /// Returns a store with rows whose keys start at 1, each of them the boss of the next.
    private func chain(_ count: Int) throws -> Store {
        let store = try Store.of(
            .named(
                "U",
                [],
                .one("boss", "U", inverse: "staff"),
                .many("staff", "U", inverse: "boss")
            )
        )
        let rows = (1...count).map { id in
            id == 1 ? #"{"id":1}"# : #"{"id":\#(id),"boss_id":\#(id - 1)}"#
        }
        try store.load("U", "[\(rows.joined(separator: ","))]")
        return store
    }

    private func bosses(of last: Int) -> String {
        (2...last).reversed().map { #"{"id":\#($0),"name":null,"boss":"# }.joined()
            + #"{"id":1,"name":null}"# + String(repeating: "}", count: last - 2)
            + #","staff":[]}"#
    }

    private func staff(to last: Int) -> String {
        (1..<last).map { #"{"id":\#($0),"name":null,"staff":["# }.joined()
            + #"{"id":\#(last),"name":null,"staff":[]}"#
            + String(repeating: "]}", count: last - 1)
    }

    /// Returns the result of `work`, performed on a thread with a stack of 512 KiB.
    ///
    /// That is the default size for secondary threads on Apple platforms.
    private func onSmallStack(
        _ work: @escaping @Sendable () throws -> String
    ) throws -> String {
        let result: Locked<Result<String, any Error>?> = Locked(nil)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            let outcome = Result { try work() }
            result.withLock { $0 = outcome }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        return try #require(result.withLock { $0 }).get()
    }

    @Test(arguments: ["U:1", "U:1176"])
    func `a chain of embedded rows deeper than the depth limit throws`(subject: String) throws {
        let store = try chain(1176)
        let row = subject.replacing(":", with: "#")
        try expect(
            errorMessage(onSmallStack { try store.export(subject) }),
            is: """
                \(row) leads to objects nested deeper than 256 levels. Export the keys of linked \
                rows instead, or leave relationships out.
                """
        )
    }

    @Test func `a list exports chains of any length, because each row is an item`() throws {
        let store = try chain(1176)
        let rows = (1...1176).map { id in
            #"{"id":\#(id),"name":null"# + (id > 1 ? #","boss":\#(id - 1)"# : "")
                + #","staff":[\#(id < 1176 ? "\(id + 1)" : "")]}"#
        }
        let text = "[\(rows.joined(separator: ","))]"
        try expect(onSmallStack { try store.export("U") }, is: text)
        try expect(store.load("U", text), is: "U =1176")
    }

    @Test func `a list contains the key of a row that would exceed the depth limit`() throws {
        let store = try chain(300)
        let text =
            "[" + (47...300).reversed().map { #"{"id":\#($0),"name":null,"boss":"# }.joined()
            + #"{"id":46,"name":null,"boss":45}"# + String(repeating: "}", count: 253)
            + #","staff":[]}]"#
        try expect(onSmallStack { try store.export("U", where: "id = 300") }, is: text)
        try expect(store.load("U", text, .upsert), is: "U =255")
        let down = try store.export("U", where: "id = 1")
        // The list of the innermost row would exceed the limit even if it contained only keys.
        #expect(
            down.hasSuffix(#"{"id":128,"name":null}"# + String(repeating: "]}", count: 127) + "]")
        )
        try expect(store.load("U", down, .upsert), is: "U =128")
    }

    @Test func `the depth limit counts arrays as well as objects`() throws {
        let store = try chain(257)
        #expect(throws: ImportError.self) { try store.export("U:257") }
        try expect(chain(256).export("U:256"), is: bosses(of: 256))
        #expect(throws: ImportError.self) { try store.export("U:1") }
        var limits = Limits()
        for (row, depth, expected) in [
            ("U:3", 3, bosses(of: 3) as String?), ("U:3", 2, nil),
        ] {
            limits.json.depth = depth
            let text = try? chain(3).export(row, limits: limits)
            #expect(text == expected)
        }
    }

    @Test func `objects nested up to the depth limit are exported on a small stack`() throws {
        let up = try chain(255)
        let down = try chain(128)
        try expect(onSmallStack { try up.export("U:255") }, is: bosses(of: 255))
        try expect(onSmallStack { try down.export("U:1") }, is: staff(to: 128))
    }

    @Test func `the depth of JSON values counts toward the depth limit`() throws {
        let store = try Store.of(
            EntityDescription("Note", attributes: [.init("id", .integer64), .init("body", .json)])
        )
        let deep = String(repeating: "[", count: 255) + String(repeating: "]", count: 255)
        let note = #"{"id":1,"body":\#(deep)}"#
        try store.load("Note", note)
        try expect(store.export("Note:1"), is: note)
        try expect(
            errorMessage(store.export("Note")),
            is: """
                Note#1 leads to objects nested deeper than 256 levels. Export other properties of \
                it alone, or this row by itself.
                """
        )
    }
}
