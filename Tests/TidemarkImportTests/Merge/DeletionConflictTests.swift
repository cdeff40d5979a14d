import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkImport

/// Rows that were changed on one side and deleted on the other.
struct DeletionConflictTests {
    private func library(_ policy: DeletePolicy) throws -> Library {
        try Library(ConflictPolicies(deletes: policy))
    }

    private static let withoutFirst = #"[{"id": 2, "name": "two"}]"#

    // MARK: Changed here, deleted there

    @Test func `a row that the service has deleted is deleted, with all its values recorded`()
        throws
    {
        let library = try library(.remoteWins)
        try library.edit { writer in
            _ = try writer.update(RecordLocator("Book:1"), values: ["name": .string("mine")])
        }
        try library.receive("Book", Self.withoutFirst)
        try expect(library.state(), is: "Book#2 by 1, tags")
        try expect(
            library.store.conflicts(),
            is: """
                Book#1 deletedRemotely author: 1, 1, – → –, remote by remoteWins
                Book#1 deletedRemotely id: 1, 1, – → –, remote by remoteWins
                Book#1 deletedRemotely name: one, mine, – → –, remote by remoteWins
                Book#1 deletedRemotely year: –, –, – → –, remote by remoteWins
                """
        )
    }

    @Test(arguments: [DeletePolicy.localWins, .editWins])
    func `a policy creates a row again that the service has deleted`(policy: DeletePolicy) throws {
        let library = try library(policy)
        try library.edit { writer in
            _ = try writer.update(RecordLocator("Book:1"), values: ["name": .string("mine")])
        }
        try library.receive("Book", Self.withoutFirst)
        try library.receive("Book", Self.withoutFirst)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#1 create
                """
        )
        let conflicts = try library.store.conflicts().split(separator: "\n")
        #expect(conflicts.count == 4)
        #expect(
            conflicts.contains(
                "Book#1 deletedRemotely name: one, mine, – → mine, local by \(policy.rawValue)"
            )
        )
    }

    @Test func `a user decides about a row that the service has deleted`() throws {
        let library = try library(.manual)
        try library.edit { writer in
            _ = try writer.update(RecordLocator("Book:1"), values: ["name": .string("mine")])
        }
        try library.receive("Book", Self.withoutFirst)
        try library.receive("Book", Self.withoutFirst)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#1 update conflicted: name="one"
                """
        )
        let conflicts = try library.store.conflicts().split(separator: "\n")
        #expect(conflicts.count == 4)
        #expect(
            conflicts.contains(
                "Book#1 deletedRemotely name: one, mine, – → mine, open by manual"
            )
        )
    }

    @Test func `a row whose change was sent is not deleted before the response`() throws {
        let library = try library(.remoteWins)
        try library.edit { writer in
            _ = try writer.update(RecordLocator("Book:1"), values: ["name": .string("mine")])
        }
        try library.freeze()
        try library.receive("Book", Self.withoutFirst)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#1 update inFlight: name="one"
                """
        )
    }

    @Test func `a reference to a row that the service has deleted is reset`() throws {
        let library = try library(.remoteWins)
        try library.move(1, to: 2)
        try library.edit { writer in
            _ = try writer.insert(
                "Book",
                values: ["name": .string("new")],
                links: ["author": [RecordLocator("Author:2")]]
            )
        }
        try library.receive("Author", #"[{"id": 1, "name": "Ada"}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#3, tags
                Book#3 create
                """
        )
        try expect(
            library.store.conflicts(),
            is: """
                Book#1 edit author: 1, 2, – → 1, remote by remoteWins
                Book#3 edit author: –, 2, – → –, remote by remoteWins
                """
        )
    }

    // MARK: Deleted here, changed there

    private static let changed =
        #"[{"id": 1, "name": "hers", "author": 1, "tags": [1]}, {"id": 2, "name": "two"}]"#

    @Test(arguments: [DeletePolicy.remoteWins, .editWins])
    func `a row that was deleted here returns if the service has changed it`(
        policy: DeletePolicy
    ) throws {
        let library = try library(policy)
        try library.edit { writer in _ = try writer.delete(RecordLocator("Book:1")) }
        try library.receive("Book", Self.changed)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                """
        )
        try expect(
            library.store.conflicts(),
            is: "Book#1 deletedLocally name: one, –, hers → hers, remote by \(policy.rawValue)"
        )
    }

    @Test func `a row that returns does not bring back the rows that were deleted as well`() throws
    {
        let library = try library(.remoteWins)
        try library.edit { writer in
            _ = try writer.delete(RecordLocator("Author:1"))
            _ = try writer.delete(RecordLocator("Tag:1"))
            _ = try writer.delete(RecordLocator("Book:1"))
        }
        try library.receive("Book", Self.changed)
        let state = try library.state().split(separator: "\n").filter { !$0.contains("delete") }
        #expect(
            state == [
                "Book#1, tags", "Book#2, tags", "Book#2 update: author=1",
                "Book#1 update: author=1",
            ]
        )
        try library.receive("Book", Self.changed)
        #expect(
            try library.state().split(separator: "\n").filter { !$0.contains("delete") } == state
        )
        try library.edit { writer in
            let changes = try writer.capturedChanges()
            try writer.discard(changes)
        }
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                """
        )
    }

    /// A library whose first book had a chapter, which was deleted with it.
    private func libraryWithoutChapter(_ policy: DeletePolicy) throws -> Library {
        let library = try library(policy)
        try library.receive("Chapter", #"[{"id": 1, "name": "I", "book": 1}]"#)
        try library.edit { writer in _ = try writer.delete(RecordLocator("Book:1")) }
        return library
    }

    @Test(arguments: [DeletePolicy.remoteWins, .editWins])
    func `a row whose key contains a deleted row does not return without it`(
        policy: DeletePolicy
    ) throws {
        let library = try libraryWithoutChapter(policy)
        for _ in 1...2 {
            try library.receive("Chapter", #"[{"id": 1, "name": "hers", "book": 1}]"#)
        }
        try expect(
            library.store.outbox(),
            is: """
                Book#1 delete: Book.tags[1]=1, author=1, id=1, name="one", year=NULL
                Chapter#1 delete: book=1, id=1, name="hers"
                """
        )
        try expect(table(of: library.store, "Chapter"), is: "Chapter: no rows")
        try expect(
            library.store.conflicts(),
            is: "Chapter#1 deletedLocally name: I, –, hers → –, local by \(policy.rawValue)"
        )
    }

    @Test(arguments: [DeletePolicy.remoteWins, .editWins])
    func `a row whose key contains a deleted row returns after it`(policy: DeletePolicy) throws {
        let library = try libraryWithoutChapter(policy)
        try library.receive("Book", Self.changed)
        try library.receive("Chapter", #"[{"id": 1, "name": "hers", "book": 1}]"#)
        try expect(library.store.outbox(), is: "")
        try expect(
            table(of: library.store, "Chapter"),
            is: """
                Chapter
                #  id  name  book
                1  1   hers  1
                """
        )
    }

    @Test func `a row whose key contains a deleted row stays deleted if it has not changed`()
        throws
    {
        let library = try libraryWithoutChapter(.remoteWins)
        let outbox = try library.store.outbox()
        try library.receive("Chapter", #"[{"id": 1, "name": "I", "book": 1}]"#)
        try expect(library.store.outbox(), is: outbox)
        try expect(table(of: library.store, "Chapter"), is: "Chapter: no rows")
    }

    @Test(arguments: [DeletePolicy.localWins, .manual])
    func `a policy keeps a row deleted that the service has changed`(policy: DeletePolicy) throws {
        let library = try library(policy)
        try library.edit { writer in _ = try writer.delete(RecordLocator("Book:1")) }
        try library.receive("Book", Self.changed)
        try library.receive("Book", Self.changed)
        let isOpen = policy == .manual
        let state = try library.state().split(separator: ":")[0]
        #expect(state == "Book#2 by 1, tags\nBook#1 delete\(isOpen ? " conflicted" : "")")
        try expect(
            library.store.conflicts(),
            is: "Book#1 deletedLocally name: one, –, hers → –, "
                + "\(isOpen ? "open" : "local") by \(policy.rawValue)"
        )
    }

    @Test func `a row that was deleted here stays deleted if the service has not changed it`()
        throws
    {
        let library = try library(.remoteWins)
        try library.edit { writer in _ = try writer.delete(RecordLocator("Book:1")) }
        try library.receive(
            "Book",
            #"[{"id": 1, "name": "one", "author": 1, "tags": [1]}, {"id": 2, "name": "two"}]"#
        )
        try expect(library.store.conflicts(), is: "")
        #expect(try library.state().hasPrefix("Book#2 by 1, tags\nBook#1 delete:"))
    }

    @Test func `a reference to a row that was deleted here does not count as a change there`()
        throws
    {
        let library = try library(.remoteWins)
        try library.edit { writer in
            _ = try writer.delete(RecordLocator("Book:1"))
            _ = try writer.delete(RecordLocator("Author:1"))
        }
        try library.receive(
            "Book",
            """
            [{"id": 1, "name": "one", "author": 1, "tags": [1]},
             {"id": 2, "name": "two", "author": 1, "tags": []}]
            """
        )
        try expect(library.store.conflicts(), is: "")
        let changes = try library.store.outbox().split(separator: "\n").map { line in
            String(line.split(separator: ":")[0])
        }
        #expect(changes == ["Book#1 delete", "Book#2 update", "Author#1 delete"])
    }

    @Test func `a row that stays deleted keeps its reference to another deleted row`() throws {
        let library = try library(.localWins)
        try library.edit { writer in
            _ = try writer.delete(RecordLocator("Book:1"))
            _ = try writer.delete(RecordLocator("Author:1"))
        }
        try library.receive("Book", Self.changed)
        try library.edit { writer in
            let changes = try writer.capturedChanges()
            try writer.discard(changes)
        }
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                """
        )
    }

    // MARK: Counts

    @Test func `rows are counted as the service has them`() throws {
        let library = try library(.remoteWins)
        try library.edit { writer in
            _ = try writer.delete(RecordLocator("Book:1"))
            _ = try writer.insert("Book", values: ["id": .integer(7)])
            _ = try writer.insert("Book", values: ["name": .string("new")])
        }
        func count() throws -> Int {
            try library.store.writer.read { db in
                try library.importer.countKeyed(db, of: "Book")
            }
        }
        #expect(try count() == 2)
        try library.freeze()
        #expect(try count() == 2)
    }
}
