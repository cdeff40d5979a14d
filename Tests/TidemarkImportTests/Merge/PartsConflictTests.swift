import GRDB
import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkImport

/// Objects without a key that were changed locally, and what the service sends of them.
struct PartsConflictTests {
    /// A store of users who have addresses, which have lines, and a profile.
    private struct Directory {
        let store: Store
        var importer: Importer

        init(_ policies: ConflictPolicies = ConflictPolicies()) throws {
            store = try Store.validated(model: .contacts)
            importer = Importer(store)
            importer.conflicts = policies
            try receive()
            try store.writer.write { [layout = store.layout] db in
                try Capture.install(db, layout)
            }
        }

        static let bonn = #"{"city": "Bonn", "lines": [{"text": "one"}]}"#
        static let kiel = #"{"city": "Kiel", "lines": []}"#

        /// Imports the user as the service has them.
        func receive(
            _ addresses: String = "\(bonn), \(kiel)",
            profile: String = #"{"color": "red"}"#,
            editedAt: Int = 1
        ) throws {
            let json = """
                [{"id": 1, "name": "Ada", "edited_at": \(editedAt), "addresses": [\(addresses)],
                  "profile": \(profile)}]
                """
            var items = try JSONDocument(Array(json.utf8)).items()
            var options = ImportOptions(operations: .all)
            options.origin = .service
            _ = try importer.import(&items, into: "User", options: options)
        }

        func edit(_ sql: String) throws {
            try store.writer.write { db in try db.execute(sql: sql) }
        }

        /// Prints the addresses with their lines, the profile, and the local changes.
        func state() throws -> String {
            let rows: [String] = try store.writer.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT 'Address#' || a._id || ' ' || city || coalesce(': ' || \
                        (SELECT group_concat(text, ' ') FROM (SELECT text FROM Line \
                        WHERE address = a._id ORDER BY _id)), '') FROM Address a \
                        UNION ALL SELECT 'Profile#' || _id || ' ' || color FROM Profile
                        """
                )
            }
            let outbox = try store.outbox()
            return (rows + (outbox.isEmpty ? [] : [outbox])).joined(separator: "\n")
        }
    }

    @Test func `a contained object that was deleted with what it contains is restored with it`()
        throws
    {
        for _ in 1...8 {
            let directory = try Directory()
            let before = try directory.state()
            try directory.edit(
                "DELETE FROM Line WHERE address = 1; DELETE FROM Address WHERE _id = 1"
            )
            _ = try directory.store.write { writer in
                try writer.discard(writer.capturedChanges())
            }
            try expect(directory.state(), is: before)
        }
    }

    @Test func `objects that were changed here stay as long as the service has not changed them`()
        throws
    {
        let directory = try Directory()
        try directory.edit(
            """
            UPDATE Address SET city = 'Ulm' WHERE _id = 1;
            UPDATE Line SET text = 'two' WHERE _id = 1;
            DELETE FROM Address WHERE _id = 2;
            INSERT INTO Address (city, user) VALUES ('Jena', 1);
            UPDATE Profile SET color = 'blue' WHERE _id = 1
            """
        )
        let before = try directory.state()
        for _ in 1...2 { try directory.receive() }
        try expect(directory.state(), is: before)
        try expect(directory.store.conflicts(), is: "")
        _ = try directory.store.write { writer in try writer.discard(writer.capturedChanges()) }
        try expect(
            directory.state(),
            is: """
                Address#1 Bonn: one
                Address#2 Kiel
                Profile#1 red
                """
        )
    }

    @Test func `the same change on both sides is not pushed`() throws {
        let directory = try Directory()
        try directory.edit(
            """
            UPDATE Address SET city = 'Ulm' WHERE _id = 1;
            DELETE FROM Address WHERE _id = 2;
            UPDATE Profile SET color = 'blue' WHERE _id = 1
            """
        )
        let ulm = Directory.bonn.replacing("Bonn", with: "Ulm")
        try directory.receive(ulm, profile: #"{"color": "blue"}"#)
        try expect(
            directory.state(),
            is: """
                Address#1 Ulm: one
                Profile#1 blue
                """
        )
        try expect(directory.store.conflicts(), is: "")
    }

    private static let hers = Directory.bonn.replacing("Bonn", with: "Hers")

    @Test func `the service's objects replace those that were changed here, and both are recorded`()
        throws
    {
        let directory = try Directory()
        try directory.edit("UPDATE Address SET city = 'Mine' WHERE _id = 1")
        try directory.receive(Self.hers)
        try expect(
            directory.state(),
            is: """
                Address#1 Hers: one
                Profile#1 red
                """
        )
        try expect(
            directory.store.conflicts(),
            is: """
                User#1 edit User.addresses: \
                {"addresses":[{"city":"Bonn","lines":[{"text":"one"}]},{"city":"Kiel","lines":[]}]}, \
                {"addresses":[{"city":"Mine","lines":[{"text":"one"}]},{"city":"Kiel","lines":[]}]}, \
                {"addresses":[{"city":"Hers","lines":[{"text":"one"}]}]} → \
                {"addresses":[{"city":"Hers","lines":[{"text":"one"}]}]}, remote by remoteWins
                """
        )
    }

    @Test func `local objects that win replace those of the service, which become the base`()
        throws
    {
        let directory = try Directory(ConflictPolicies(default: .localWins))
        try directory.edit("UPDATE Address SET city = 'Mine' WHERE _id = 1")
        try directory.receive(Self.hers)
        try expect(
            directory.state(),
            is: """
                Address#1 Mine: one
                Address#2 Kiel
                Profile#1 red
                User#1 update: Address:city[1]="Hers", User.addresses[2]=0
                """
        )
        // The service's objects are the base now.
        try directory.receive(Self.hers)
        try directory.receive("\(Self.hers), \(Self.hers)")
        #expect(try directory.store.conflicts().split(separator: "\n").count == 2)
    }

    @Test func `objects that await a decision stay, with those of the service on record`() throws {
        let directory = try Directory(ConflictPolicies(default: .manual))
        try directory.edit("UPDATE Profile SET color = 'blue' WHERE _id = 1")
        for _ in 1...2 { try directory.receive(profile: "null") }
        try expect(
            directory.state(),
            is: """
                Address#1 Bonn: one
                Address#2 Kiel
                Profile#1 blue
                User#1 update conflicted: Profile:color[1]="red"
                """
        )
        try expect(
            directory.store.conflicts(),
            is: """
                User#1 edit User.profile: {"profile":{"color":"red"}}, {"profile":{"color":"blue"}}, \
                {"profile":null} → {"profile":{"color":"blue"}}, open by manual
                """
        )
    }

    @Test(arguments: [(9, "Hers"), (3, "Mine")])
    func `the side with the later value of an attribute wins`(editedAt: Int, city: String) throws {
        let directory = try Directory(ConflictPolicies(default: .latestWins(by: "editedAt")))
        try directory.edit("UPDATE Address SET city = 'Mine' WHERE _id = 1")
        try directory.edit("UPDATE User SET editedAt = 5 WHERE _id = 1")
        try directory.receive(Self.hers, editedAt: editedAt)
        #expect(try directory.state().contains("Address#1 \(city)") == true)
    }

    @Test func `objects whose request was sent wait for its response`() throws {
        let directory = try Directory()
        try directory.edit("UPDATE Address SET city = 'Mine' WHERE _id = 1")
        try directory.edit("UPDATE _tidemark_change SET frozen = 1, state = 'inFlight'")
        try directory.receive(Self.hers)
        try expect(
            directory.state(),
            is: """
                Address#1 Mine: one
                Address#2 Kiel
                Profile#1 red
                User#1 update inFlight: Address:city[1]="Bonn"
                """
        )
    }
}
