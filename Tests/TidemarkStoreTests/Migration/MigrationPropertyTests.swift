import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Migrations of random models and rows, which lose no data that they do not report.
struct MigrationPropertyTests {
    @Test(arguments: 0..<4) func `random migrations keep the expected rows, or change nothing`(
        part: Int
    ) throws {
        var done = 0
        for _ in 0..<25 {
            let seed = UInt64.random(in: 0...UInt64.max)
            if try migrates(seed) { done += 1 }
        }
        #expect(done > 2)
    }

    /// Migrates a random store to a random model, and returns whether the migration was accepted.
    private func migrates(_ seed: UInt64) throws -> Bool {
        var chance = MigrationChance(seed: seed)
        let old = chance.model()
        guard old.findings().allSatisfy({ $0.severity != .error }) else { return false }
        let new = chance.changed(old)
        let store = try Store.validated(model: old)
        try chance.fill(store)
        let before = try store.writer.read(SchemaShape.state)
        let records = try store.writer.read { db in try Self.records(db, store) }
        var steps = ""
        do {
            let migrated = try store.migrate(to: new) { steps = $0.lines }
            try migrated.expectIntegrity()
            let oracle = MigrationOracle(old: old, new: new, before: records)
            let after = try migrated.writer.read { db in try Self.records(db, migrated) }
            let findings = oracle.findings(after)
            #expect(findings.isEmpty, "seed \(seed)\n\(steps)\n\(findings.joined(separator: "\n"))")
            return true
        } catch let error as StoreError where error.code == .migrationRejected {
            #expect(try store.writer.read(SchemaShape.state) == before, "seed \(seed)")
            return false
        } catch {
            Issue.record("seed \(seed): \(error)\n\(old.changes(to: new))")
            return false
        }
    }

    @Test func `a migration that loses no data can be reversed`() throws {
        for _ in 0..<50 {
            let seed = UInt64.random(in: 0...UInt64.max)
            var chance = MigrationChance(seed: seed)
            let old = chance.model()
            guard old.findings().allSatisfy({ $0.severity != .error }) else { continue }
            let new = chance.reversiblyChanged(old)
            let store = try Store.validated(model: old)
            try chance.fill(store)
            let before = try table(of: store)
            do {
                let migrated = try store.migrate(to: new)
                let back = try migrated.migrate(to: old)
                try back.expectIntegrity()
                expect(try table(of: back), is: before)
                #expect(try table(of: back) == before, "seed \(seed)\n\(old.changes(to: new))")
            } catch let error as StoreError where error.code == .migrationRejected {
                // A new attribute may be required and have no default.
                #expect(error.message.contains("is required"), "seed \(seed): \(error)")
            }
        }
    }

    private static func records(_ db: Database, _ store: Store) throws -> [StoredRecord] {
        try store.read(in: db) { reader in
            try store.layout.tables.flatMap {
                try reader.fetch(RecordRequest($0.name, links: .all))
            }
        }
    }
}

/// An independent calculation of the rows after a migration, from the two models.
struct MigrationOracle {
    let old: Model
    let new: Model
    let before: [StoredRecord]

    /// Returns the differences between the rows and the expected ones.
    func findings(_ after: [StoredRecord]) -> [String] {
        var findings: [String] = []
        var left = after
        for record in before {
            let successor = new.entities.first {
                origin($0.name, $0.renamingIdentifier) == record.reference.entity
            }
            let index = left.firstIndex {
                $0.reference.entity == successor?.name
                    && $0.reference.number == record.reference.number
            }
            guard let successor, !successor.isAbstract else {
                if index != nil { findings.append("\(record.reference) should have been deleted") }
                continue
            }
            guard let index else {
                findings.append("\(record.reference) was deleted")
                continue
            }
            let found = left.remove(at: index)
            findings += self.findings(record, found, successor)
        }
        return findings + left.map { "\($0.reference) was inserted" }
    }

    /// Returns the name of an element in the old model; names are never reused.
    private func origin(_ name: String, _ previous: String?) -> String { previous ?? name }

    private func findings(
        _ before: StoredRecord,
        _ after: StoredRecord,
        _ entity: EntityDescription
    ) -> [String] {
        new.attributes(of: entity).compactMap { attribute in
            let expected = value(of: attribute, before, entity)
            return after[attribute.name] == expected
                ? nil
                : "\(after.reference).\(attribute.name) is \(after[attribute.name]), not \(expected)"
        }
            + new.relationships(of: entity).compactMap { relationship in
                let found = (after.links[relationship.name] ?? []).map(\.number)
                let name = origin(relationship.name, relationship.renamingIdentifier)
                guard let expected = links(before, name) else { return nil }
                let matches =
                    wasOrdered(before, name) && relationship.isOrdered
                    ? found == expected : Set(found) == Set(expected)
                return matches
                    ? nil : "\(after.reference).\(relationship.name) is \(found), not \(expected)"
            }
    }

    private func value(
        of attribute: Attribute,
        _ record: StoredRecord,
        _ entity: EntityDescription
    ) -> Value {
        let isKey = new.primaryKey(of: entity).contains(attribute.name)
        let fill = isKey ? .null : attribute.defaultValue.map { converted($0, attribute) } ?? .null
        let name = origin(attribute.name, attribute.renamingIdentifier)
        guard let value = record.values[name] else { return fill }
        let previous = old[record.reference.entity].flatMap { entity in
            old.attributes(of: entity).first { $0.name == name }
        }
        let becameRequired = !attribute.isOptional && previous?.isOptional ?? false
        if value == .null || value == .json("null") && attribute.type != .json {
            return becameRequired ? fill : .null
        }
        return previous?.type == attribute.type ? value : converted(value, attribute)
    }

    private func converted(_ value: Value, _ attribute: Attribute) -> Value {
        var value = value
        let numbers: [AttributeType] = [.integer16, .integer64, .double, .decimal]
        if case .boolean(let flag) = value, numbers.contains(attribute.type) {
            value = .integer(flag ? 1 : 0)
        }
        let result = Result { try Coercion(attribute).coerce(value) }
        return (try? result.get()) ?? .string("\(result)")
    }

    private func links(_ record: StoredRecord, _ name: String) -> [Int64]? {
        record.links[name]?.filter { other in
            new.entities.contains { origin($0.name, $0.renamingIdentifier) == other.entity }
        }
        .map(\.number)
    }

    private func wasOrdered(_ record: StoredRecord, _ name: String) -> Bool {
        old[record.reference.entity].map { entity in
            old.relationships(of: entity).contains { $0.name == name && $0.isOrdered }
        } ?? false
    }
}
