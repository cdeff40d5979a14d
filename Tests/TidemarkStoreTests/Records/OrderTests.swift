import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

struct OrderTests {
    @Test func `a row that joins a list is placed after the existing rows`() throws {
        let store = try Store.of(
            .named("Album", [], .many("songs", "Song", inverse: "album", isOrdered: true)),
            .named("Song", [], .one("album", "Album", inverse: "songs"))
        )
        for id in 1...3 { try store.insert("Song", ["id": .integer(Int64(id))]) }
        try store.insert("Album", ["id": .integer(1)], links: ["songs": ["Song:2", "Song:3"]])
        try store.update("Song:1", links: ["album": ["Album:1"]])
        try expect(
            table(of: store, "Album"),
            is: """
                Album
                #  id  name  songs
                1  1   -     [2 3 1]
                """
        )
    }
}
