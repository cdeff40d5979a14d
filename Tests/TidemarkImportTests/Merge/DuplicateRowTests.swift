import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkImport

/// A pull that inserts the object of a creation before the response to the creation is known.
struct DuplicateRowTests {
    @Test func `the row of the app stays, with the links and values of the other one`() throws {
        let library = try Library()
        try library.edit { writer in
            _ = try writer.insert("Author", values: ["name": .string("Eve")])
        }
        // The service has changed what was sent, so that a pull does not recognize it.
        try library.receive(
            "Author",
            #"[{"id": 1}, {"id": 2}, {"id": 3, "name": "EVE", "books": [1]}]"#
        )
        try library.receive(
            response: #"{"id": 3}"#,
            to: 1,
            of: RowReference("Author", 3)
        )
        try expect(
            table(of: library.store, "Author", "Book"),
            is: """
                Author
                #  id  name  books  agent
                1  1   Ada   [2]    -
                2  2   Ben   []     -
                3  3   EVE   [1]    -

                Book
                #  id  name  year  author  tags  chapters
                1  1   one   -     3       [1]   []
                2  2   two   -     1       []    []
                """
        )
        try expect(library.store.outbox(), is: "")
    }

    @Test func `local changes of either row are kept`() throws {
        let library = try Library()
        try library.edit { writer in
            _ = try writer.insert("Book", values: ["name": .string("new")])
        }
        try library.freeze()
        try library.receive("Book", #"[{"id": 1}, {"id": 2}, {"id": 3, "name": "NEW"}]"#)
        try library.edit { writer in
            _ = try writer.update(RecordLocator("Book:3"), values: ["year": .integer(1999)])
            _ = try writer.update(RecordLocator("Book#3"), values: ["name": .string("newer")])
        }
        try library.receive(
            response: #"{"id": 3}"#,
            to: 1,
            of: RowReference("Book", 3)
        )
        try expect(
            table(of: library.store, "Book"),
            is: """
                Book
                #  id  name   year  author  tags  chapters
                1  1   one    -     1       [1]   []
                2  2   two    -     1       []    []
                3  3   newer  1999  -       []    []
                """
        )
        try expect(
            library.store.outbox(),
            is: "Book#3 update: name=\"NEW\", year=NULL"
        )
    }
}
