import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkImport

/// Links that were changed locally, and what the service's lists say about them.
struct LinkConflictTests {
    // MARK: Pairs

    @Test(arguments: [
        ("Book", #"[{"id": 1, "tags": [1]}, {"id": 2, "tags": []}]"#),
        ("Tag", #"[{"id": 1, "books": [1]}, {"id": 2, "books": []}]"#),
    ])
    func `a link that was added here stays when a list of the service lacks it`(
        entity: String,
        list: String
    ) throws {
        let library = try Library()
        try library.link(1, tags: [1, 2])
        try library.receive(entity, list)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1 2
                Book#2 by 1, tags
                Book#1 update: Book.tags[2]=0
                """
        )
    }

    @Test(arguments: [
        ("Book", #"[{"id": 1, "tags": [1]}, {"id": 2, "tags": []}]"#),
        ("Tag", #"[{"id": 1, "books": [1]}, {"id": 2, "books": []}]"#),
    ])
    func `a link that was removed here stays away when a list of the service has it`(
        entity: String,
        list: String
    ) throws {
        let library = try Library()
        try library.link(1, tags: [])
        try library.receive(entity, list)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags
                Book#2 by 1, tags
                Book#1 update: Book.tags[1]=1
                """
        )
    }

    @Test func `links that both sides have changed in the same way are not pushed`() throws {
        let library = try Library()
        try library.link(1, tags: [2])
        try library.receive("Book", #"[{"id": 1, "tags": [2]}, {"id": 2, "tags": []}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 2
                Book#2 by 1, tags
                """
        )
    }

    @Test func `links of a change that was sent wait for its response`() throws {
        let library = try Library()
        try library.link(1, tags: [2])
        try library.freeze()
        try library.receive("Book", #"[{"id": 1, "tags": [1]}, {"id": 2, "tags": []}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 2
                Book#2 by 1, tags
                Book#1 update inFlight: Book.tags[1]=1, Book.tags[2]=0
                """
        )
    }

    @Test func `a new row stays in the lists of rows that the service has`() throws {
        let library = try Library()
        try library.edit { writer in
            _ = try writer.insert(
                "Book",
                values: ["name": .string("new")],
                links: ["tags": [RecordLocator("Tag:1")], "author": [RecordLocator("Author:1")]]
            )
        }
        try library.receive("Tag", #"[{"id": 1, "books": [1]}, {"id": 2, "books": []}]"#)
        try library.receive("Author", #"[{"id": 1, "books": [1, 2]}, {"id": 2, "books": []}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#3 by 1, tags 1
                Book#3 create
                """
        )
    }

    // MARK: References

    @Test func `a row that was moved here stays when the service's lists have it elsewhere`() throws
    {
        let library = try Library()
        try library.move(1, to: 2)
        try library.receive("Author", #"[{"id": 1, "books": [1, 2]}, {"id": 2, "books": []}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 2, tags 1
                Book#2 by 1, tags
                Book#1 update: author=1
                """
        )
        try expect(library.store.conflicts(), is: "")
    }

    @Test func `a row that both sides have moved to the same place is not pushed`() throws {
        let library = try Library()
        try library.move(1, to: 2)
        try library.receive("Author", #"[{"id": 1, "books": [2]}, {"id": 2, "books": [1]}]"#)
        try expect(
            library.state(),
            is: """
                Book#1 by 2, tags 1
                Book#2 by 1, tags
                """
        )
    }

    @Test func `a row that was moved to different places is where the service has it`() throws {
        let library = try Library()
        try library.move(1, to: 2)
        try library.receive(
            "Author",
            #"[{"id": 1, "books": [2]}, {"id": 2, "books": []}, {"id": 3, "books": [1]}]"#
        )
        try expect(
            library.state(),
            is: """
                Book#1 by 3, tags 1
                Book#2 by 1, tags
                """
        )
        try expect(
            library.store.conflicts(),
            is: "Book#1 edit author: 1, 2, 3 → 3, remote by remoteWins"
        )
    }

    @Test(arguments: [ConflictPolicy.localWins, .manual])
    func `a policy keeps a row where it was moved to`(policy: ConflictPolicy) throws {
        let library = try Library(
            ConflictPolicies(
                entities: ["Book": .init(.remoteWins, properties: ["author": policy])]
            )
        )
        try library.move(1, to: 2)
        let lists = #"[{"id": 1, "books": [2]}, {"id": 2, "books": []}, {"id": 3, "books": [1]}]"#
        try library.receive("Author", lists)
        try library.receive("Author", lists)
        let isOpen = policy.name == "manual"
        try expect(
            library.state(),
            is: """
                Book#1 by 2, tags 1
                Book#2 by 1, tags
                Book#1 update\(isOpen ? " conflicted: author=1" : ": author=3")
                """
        )
        try expect(
            library.store.conflicts(),
            is: "Book#1 edit author: 1, 2, 3 → 2, \(isOpen ? "open" : "local") by \(policy.name)"
        )
    }

    @Test func `a reference that was replaced here stays replaced while its row is not stored`()
        throws
    {
        let library = try Library()
        let list = #"[{"id": 1, "author": 9}, {"id": 2, "author": 1}]"#
        try library.receive("Book", list)
        try library.move(1, to: 2)
        try library.receive("Book", list)
        try expect(
            library.state(),
            is: """
                Book#1 by 2, tags 1
                Book#2 by 1, tags
                Book#1 update: Book.author[-2]=9, author=NULL
                """
        )
        try library.receive("Author", #"[{"id": 1}, {"id": 2}, {"id": 9, "name": "Eve"}]"#)
        try library.receive("Book", list)
        try expect(
            library.state(),
            is: """
                Book#1 by 2, tags 1
                Book#2 by 1, tags
                Book#1 update: Book.author[-2]=9, author=NULL
                """
        )
        try expect(library.store.conflicts(), is: "")
    }

    @Test func `a reference that only one row can have goes to the row that the service names`()
        throws
    {
        let library = try Library()
        try library.receive("Agent", #"[{"id": 1, "author": 1}, {"id": 2}]"#)
        try library.edit { writer in
            _ = try writer.update(
                RecordLocator("Agent:2"),
                values: [:],
                links: ["author": [RecordLocator("Author:2")]]
            )
        }
        try library.receive("Agent", #"[{"id": 1, "author": 2}, {"id": 2}]"#)
        try expect(
            library.store.conflicts(),
            is: "Agent#2 edit author: –, 2, – → –, remote by remoteWins"
        )
        #expect(try library.agents() == ["Agent#1: [Author#2]", "Agent#2: []"])
    }

    @Test func `a row that loses such a reference has again the one that the service knows`()
        throws
    {
        let library = try Library()
        try library.receive("Agent", #"[{"id": 1, "author": null}, {"id": 2, "author": 1}]"#)
        try library.edit { writer in
            _ = try writer.update(
                RecordLocator("Agent:2"),
                values: [:],
                links: ["author": [RecordLocator("Author:2")]]
            )
        }
        try library.receive("Agent", #"[{"id": 1, "author": 2}, {"id": 2}]"#)
        try expect(
            library.store.conflicts(),
            is: "Agent#2 edit author: 1, 2, 1 → 1, remote by remoteWins"
        )
        #expect(try library.agents() == ["Agent#1: [Author#2]", "Agent#2: [Author#1]"])
        try expect(library.store.outbox(), is: "")
    }

    // MARK: Creations

    @Test func `links of an object that another client has created, too, are added to its own`()
        throws
    {
        let library = try Library()
        try library.edit { writer in
            _ = try writer.insert(
                "Book",
                values: ["id": .integer(3), "name": .string("three")],
                links: ["tags": [RecordLocator("Tag:1")]]
            )
        }
        try library.receive(
            "Book",
            """
            [{"id": 1, "tags": [1]}, {"id": 2, "tags": []}, \
            {"id": 3, "name": "three", "tags": [2]}]
            """
        )
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#3, tags 1 2
                Book#3 update: Book.tags[1]=0
                """
        )
    }

    @Test func `a link that a request has left out is sent after its object was found`() throws {
        let library = try Library()
        try library.edit { writer in
            _ = try writer.insert(
                "Book",
                values: ["name": .string("three")],
                links: ["author": [RecordLocator("Author:1")]]
            )
        }
        try library.freeze()
        try library.store.writer.write { db in
            try db.execute(
                sql: """
                    UPDATE _tidemark_change SET state = 'uncertain';
                    INSERT INTO _tidemark_base (change, property) VALUES (1, 'author')
                    """
            )
        }
        try library.receive(
            "Book",
            """
            [{"id": 1, "tags": [1]}, {"id": 2, "tags": []}, \
            {"id": 3, "name": "three", "author": null}]
            """
        )
        try expect(
            library.state(),
            is: """
                Book#1 by 1, tags 1
                Book#2 by 1, tags
                Book#3 by 1, tags
                Book#3 update: author=NULL
                """
        )
    }
}
