import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

struct StoreTableTests {
    @Test func `throws for an entity that does not exist`() throws {
        let store = try Store.of(.named("User"))
        #expect(throws: StoreError.self) { try table(of: store, "Nemo") }
    }

    @Test func `quotes texts that look like something else`() throws {
        let store = try Store.of(EntityDescription("Text", attributes: [.init("text", .string)]))
        for text in ["plain text", "", "-", " a", "a ", "a  b", "a\nb", "a\u{1}", "größe"] {
            try store.insert("Text", ["text": .string(text)])
        }
        try store.insert("Text")
        try expect(
            table(of: store),
            is: #"""
                Text
                #   text
                1   plain text
                2   ""
                3   "-"
                4   " a"
                5   "a "
                6   "a  b"
                7   "a\nb"
                8   "a\u0001"
                9   größe
                10  -
                """#
        )
    }

    @Test func `anonymous tables are equal whatever the order of insertion`() throws {
        let texts = try [[1, 2, 3], [3, 1, 2]].map { ids in
            let store = try Store.of(
                .named("User", [], .many("friends", "User", inverse: "friends"))
            )
            for id in ids { try store.insert("User", ["id": .integer(Int64(id))]) }
            try store.update("User:1", links: ["friends": ["User:2", "User:3"]])
            return try store.writer.read { try StoreTable(store, rows: .anonymous).text($0) }
        }
        expect(texts[0], is: texts[1])
        expect(
            texts[0],
            is: """
                User
                id  name  friends
                1   -     [2 3]
                2   -     [1]
                3   -     [1]
                """
        )
    }
}
