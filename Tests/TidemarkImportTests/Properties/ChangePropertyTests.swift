import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// The changes that a store reports equal the differences between the records before and after.
struct ChangePropertyTests {
    private static let traits: RandomModel.Traits = [
        .ownedKeyless, .abstractParents, .deleteRules, .required, .unidirectional,
    ]

    @Test func `the reported changes of a commit equal the differences between the records`()
        async throws
    {
        let samples = ServiceHistory.random(Self.traits, times: 3)
        try await Property(cases: 30, sample: samples).holds { history, pool in
            let target = try pool.next()
            let changes = try target.store.changes()
            var before = try records(target)
            for step in history.times.indices.flatMap({ history.documents(at: $0) }) {
                try target.load(step)
                let after = try records(target)
                try check(changes, target, from: before, to: after)
                before = after
            }
        }
    }

    @Test func `the reported changes equal the differences for arbitrary documents`() async throws {
        try await Property(cases: 25, sample: ImportSample.random()).holds { target, step, _ in
            let changes = try target.store.changes()
            let before = try records(target)
            try target.load(step)
            try check(changes, target, from: before, to: records(target))
        }
    }

    // MARK: Expected changes

    private typealias Records = [RowID: StoredRecord]

    private struct RowID: Hashable {
        let table: Int
        let number: Int64
    }

    private func records(_ target: TestStore) throws -> Records {
        try target.store.read { db in
            var records: Records = [:]
            for (table, layout) in target.store.layout.tables.enumerated() {
                for record in try db.fetch(RecordRequest(layout.name, links: .all)) {
                    records[RowID(table: table, number: record.reference.number)] = record
                }
            }
            return records
        }
    }

    private func check(
        _ changes: ChangeBatches,
        _ target: TestStore,
        from before: Records,
        to after: Records
    ) throws {
        var reported: [RowID: RowChange] = [:]
        while let batch = try changes.poll() {
            guard batch.isLast else {
                throw Counterexample("A small commit was split into batches.")
            }
            for change in batch.changes {
                let table = try target.store.layout.entity(change.entity).table
                let row = RowID(table: table, number: change.rowNumber)
                guard reported.updateValue(change, forKey: row) == nil else {
                    throw Counterexample("\(change.entity)#\(change.rowNumber) was reported twice.")
                }
            }
        }
        for row in Set(before.keys).union(after.keys).union(reported.keys) {
            let expected = try change(row, before[row], after[row], target.store.layout)
            let optional = try orderedLists(after[row], target.store.layout)
            try same(
                Self.text(reported[row], without: optional),
                Self.text(expected, without: optional),
                "Another change of row \(row.number) of table \(row.table)"
            )
        }
    }

    private static func text(_ change: RowChange?, without optional: Set<String>) -> String {
        guard let change else { return "nothing" }
        let properties = change.properties.filter { !optional.contains($0) }
        let isOptional = !change.properties.isEmpty && properties.isEmpty
        guard change.kind != .update || !isOptional else { return "nothing" }
        return "\(change.kind) \(change.entity)#\(change.rowNumber) "
            + "\(change.key.map { "\($0.parts)" } ?? "-") \(properties)"
    }

    /// Returns the change of a row from its records before and after; nil if they are equal.
    private func change(
        _ row: RowID,
        _ before: StoredRecord?,
        _ after: StoredRecord?,
        _ layout: StoreLayout
    ) throws -> RowChange? {
        guard let last = after ?? before else { return nil }
        let entity = try layout.entity(last.reference.entity)
        let key = entity.key.map { column in
            entity.attributes.first { $0.column == column }
                .map { last[$0.attribute.name] } ?? .null
        }
        let kind: RowChange.Kind = before == nil ? .insert : after == nil ? .delete : .update
        var properties = after.map { self.properties(entity, before, $0, layout) } ?? []
        if kind == .update, let before, before.reference.entity != last.reference.entity {
            properties += try lostProperties(before, entity, layout)
        } else if kind == .update, properties.isEmpty {
            return nil
        }
        return RowChange(
            kind,
            of: entity.name,
            row: row.number,
            key: key.isEmpty || key.contains(.null) ? nil : RecordKey(key),
            properties: properties
        )
    }

    private func properties(
        _ entity: EntityLayout,
        _ before: StoredRecord?,
        _ after: StoredRecord,
        _ layout: StoreLayout
    ) -> [String] {
        let attributes = entity.attributes.map(\.attribute.name).filter {
            before?[$0] ?? .null != after[$0]
        }
        let relationships = entity.relationships.filter { relationship in
            let name = relationship.relationship.name
            let inverse = relationship.relationship.inverse.flatMap {
                layout.entities[relationship.destination].relationship($0)
            }
            // A link between a to-one and a to-many relationship is reported on the to-one side
            // only, because that row contains the column.
            if relationship.relationship.isToMany, inverse?.relationship.isToMany == false {
                return false
            }
            // Links are compared by row number: a linked row that has changed its entity is still
            // linked.
            return before?.links[name]?.map(\.number) ?? []
                != after.links[name]?.map(\.number) ?? []
        }
        return attributes + relationships.map(\.relationship.name)
    }

    /// Returns the properties that a row has lost because its entity changed to `entity`.
    private func lostProperties(
        _ before: StoredRecord,
        _ entity: EntityLayout,
        _ layout: StoreLayout
    ) throws -> [String] {
        let old = try layout.entity(before.reference.entity)
        let names = Set(
            entity.attributes.map(\.attribute.name)
                + entity.relationships.map(\.relationship.name)
        )
        return properties(old, nil, before, layout).filter { !names.contains($0) }.sorted()
    }

    /// Returns the ordered relationships of a row, whose changes are optional.
    ///
    /// The stored positions may change although the order of the linked rows does not.
    private func orderedLists(_ record: StoredRecord?, _ layout: StoreLayout) throws -> Set<String>
    {
        guard let record else { return [] }
        return Set(
            try layout.entity(record.reference.entity).relationships
                .filter(\.relationship.isOrdered).map(\.relationship.name)
        )
    }
}
