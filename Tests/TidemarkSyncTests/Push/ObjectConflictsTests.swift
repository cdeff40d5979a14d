import GRDB
import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkSync

/// Conflicts about objects without a key that a user decides.
struct ObjectConflictsTests {
    private let store: Store
    private let importer: Importer

    init() throws {
        store = try Store.validated(
            model: Model(entities: [
                EntityDescription(
                    "User",
                    attributes: [Attribute("id", .integer64)],
                    relationships: [.many("addresses", "Address", inverse: "user")]
                ),
                EntityDescription(
                    "Address",
                    attributes: [Attribute("city", .string)],
                    relationships: [.one("user", "User", inverse: "addresses")]
                ),
            ])
        )
        importer = Importer(store)
        try receive("Bonn", "Kiel", by: importer)
        try store.writer.write { [layout = store.layout] db in try Capture.install(db, layout) }
    }

    private func receive(_ cities: String..., by importer: Importer) throws {
        let addresses = cities.map { #"{"city": "\#($0)"}"# }.joined(separator: ", ")
        var items = try JSONDocument(Array(#"[{"id": 1, "addresses": [\#(addresses)]}]"#.utf8))
            .items()
        var options = ImportOptions()
        options.origin = .service
        _ = try importer.import(&items, into: "User", options: options)
    }

    /// Changes an address on both sides.
    private func conflict(_ policy: ConflictPolicy) throws {
        try store.writer.write { db in
            try db.execute(sql: "UPDATE Address SET city = 'Mine' WHERE _id = 1")
        }
        var importer = importer
        importer.conflicts = ConflictPolicies(default: policy)
        try receive("Hers", by: importer)
    }

    private func state() throws -> String {
        let cities: [String] = try store.writer.read { db in
            try String.fetchAll(db, sql: "SELECT city FROM Address WHERE user = 1 ORDER BY _id")
        }
        return cities.joined(separator: " ") + "|" + (try store.outbox())
    }

    private func resolve(_ choice: Conflicts.Choice) throws -> Conflicts.Resolution {
        try store.writer.write { db in
            try Conflicts(store).resolve(db, 1, taking: choice)
        }
    }

    @Test(arguments: [
        (
            Conflicts.Choice.local,
            #"Mine Kiel|User#1 update: Address:city[1]="Hers", User.addresses[2]=0"#
        ),
        (.remote, "Hers|"),
        (.base, #"Bonn Kiel|User#1 update: Address:city[1]="Hers", User.addresses[2]=0"#),
    ])
    func `objects that were replaced by a policy are taken again`(
        choice: Conflicts.Choice,
        state expected: String
    ) throws {
        try conflict(.remoteWins)
        #expect(try !resolve(choice).isStale)
        let numbers = try state().replacing(/addresses\[\d+\]/, with: "addresses[2]")
        #expect(numbers == expected)
    }

    @Test(arguments: [
        (Conflicts.Choice.local, "Mine Kiel"), (.remote, "Hers"), (.base, "Bonn Kiel"),
    ])
    func `objects wait for a decision, and what differs from the service's is pushed`(
        choice: Conflicts.Choice,
        cities: String
    ) throws {
        try conflict(.manual)
        #expect(try state().hasSuffix(#"User#1 update conflicted: Address:city[1]="Bonn""#))
        #expect(try !resolve(choice).isStale)
        let lines = try state().split(separator: "|")
        #expect(lines.first == cities[...])
        #expect(lines.count == (choice == .remote ? 1 : 2))
        _ = try store.write { writer in try writer.discard(writer.capturedChanges()) }
        #expect(try state() == "Hers|")
    }

    @Test func `a decision about objects that the service has changed since is outdated`() throws {
        try conflict(.remoteWins)
        try receive("Theirs", by: importer)
        #expect(try resolve(.local).isStale)
        #expect(try state() == "Theirs|")
    }

    @Test func `a conflict about objects shows all versions`() throws {
        try conflict(.remoteWins)
        let conflict = try store.read { try Conflicts(store).list($0.db) }.first
        let property = try #require(conflict?.properties.first)
        #expect(property.name == "addresses")
        #expect(
            [property.base, property.local, property.remote, property.kept] == [
                .objects(#"{"addresses":[{"city":"Bonn"},{"city":"Kiel"}]}"#),
                .objects(#"{"addresses":[{"city":"Mine"},{"city":"Kiel"}]}"#),
                .objects(#"{"addresses":[{"city":"Hers"}]}"#),
                .objects(#"{"addresses":[{"city":"Hers"}]}"#),
            ]
        )
    }
}
