import GRDB
import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// Objects that are compared with what was sent to create a row.
extension ObjectImport {
    /// How many of the values that were sent to create a row an object has.
    enum Likeness {
        /// All of them.
        case equal
        /// At least half, so that another client may have changed the others.
        case similar
        /// Fewer.
        case different
    }

    /// Compares the object with what was sent to create a row.
    ///
    /// Values that were not sent are not compared: a service may set the key, times and defaults,
    /// and later edits, and links to rows without a key, are sent by later requests.
    func likeness(
        toSentValuesOf row: Int64,
        by resolver: ConflictResolver
    ) throws -> Likeness {
        guard let sent = try sentRow(row, by: resolver) else { return .different }
        var evidence = Evidence()
        for slot in entity.plan.slots.indices where frame.isGiven[slot] {
            guard let match = try match(ofSlot: slot, with: sent, by: resolver) else { continue }
            evidence.add(match, of: weight(ofSlot: slot))
        }
        // Most objects of a list differ already.
        if evidence.isUndecided {
            for relationship in entity.relationships {
                guard let match = try match(of: relationship, with: sent, by: resolver) else {
                    continue
                }
                evidence.add(match, of: relationship.leadsToKeyless ? .value : .link)
            }
        }
        return evidence.likeness
    }

    /// Whether the value of a slot is sent with the row.
    ///
    /// A reference may be sent in the list of the other row.
    func isSent(_ slot: Int, by resolver: ConflictResolver) throws -> Bool {
        if let attribute = attribute(ofSlot: slot) { return attribute.json.isExportable }
        guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else {
            return true
        }
        return try resolver.unpushed.isSent(relationship.layout)
    }

    // MARK: Values

    /// A row whose creation was sent, as the request contains it.
    private struct SentRow {
        let number: Int64

        /// The values of the row; nil if it was deleted since.
        let stored: Row?

        /// The changes of the row.
        let changes: UnpushedRows.Changes?

        /// The values before the edits that came later, by column.
        let base: [String: DatabaseValue]

        /// The columns with references that the request has left out.
        let omitted: Set<String>

        /// Whether the request has chosen the key.
        let isKeyChosen: Bool
    }

    private func sentRow(_ row: Int64, by resolver: ConflictResolver) throws -> SentRow? {
        let (unpushed, table) = (resolver.unpushed, entity.plan.entity.table)
        let stored = try unpushed.storedRow(row, in: table)
        let changes = try unpushed.changes(of: row, in: table)
        let base = try changes?.open.map(unpushed.columns) ?? [:]
        // The deletion of a row contains all of its values.
        guard stored != nil || !base.isEmpty else { return nil }
        return SentRow(
            number: row,
            stored: stored,
            changes: changes,
            base: base,
            omitted: Set(try changes?.frozen.map(unpushed.columns)?.keys.map(\.self) ?? []),
            isKeyChosen: try unpushed.hasChosenKey(creationOf: row, in: table)
        )
    }

    /// Compares the value of a slot; nil if it was not sent.
    private func match(
        ofSlot slot: Int,
        with row: SentRow,
        by resolver: ConflictResolver
    ) throws -> Evidence.Match? {
        let column = column(ofSlot: slot)
        guard !row.omitted.contains(column) else { return nil }
        let sent = row.base[column] ?? row.stored.flatMap { $0[column] as DatabaseValue? } ?? .null
        guard !sent.isNull, try isSent(slot, by: resolver) else { return nil }
        if try shows(sent, in: slot) { return .equal }
        if !row.isKeyChosen, entity.plan.key.contains(slot) { return nil }
        return isNormalized(sent, in: slot) ? .normalized : .different
    }

    /// Returns whether a text differs from the one that was sent only in what services change when
    /// they store one.
    private func isNormalized(_ sent: DatabaseValue, in slot: Int) -> Bool {
        guard let sent = String.fromDatabaseValue(sent),
            let shown = String.fromDatabaseValue(frame.values[slot].databaseValue)
        else { return false }
        if shown.isStoredForm(of: sent) { return true }
        // A text that the service keeps as a number.
        let token = Int(frame.tokens[slot])
        guard token >= 0, node.node(at: token).kind == .number,
            let one = DecimalNumber(sent), let other = DecimalNumber(shown)
        else { return false }
        return one.isSame(as: other)
    }

    /// What equal values of a slot prove: most objects have the default, and one of two values.
    private func weight(ofSlot slot: Int) -> Evidence.Weight {
        guard !entity.plan.key.contains(slot) else { return .common }
        guard let attribute = attribute(ofSlot: slot) else { return .link }
        return attribute.type != .boolean && attribute.defaultValue == nil ? .value : .common
    }

    // MARK: Relationships

    /// Compares the rows of a relationship without a slot, or its objects without a key; nil if
    /// none were sent, or if the object shows none.
    private func match(
        of relationship: RelationshipPlan,
        with row: SentRow,
        by resolver: ConflictResolver
    ) throws -> Evidence.Match? {
        if let slot = relationship.slot, frame.isGiven[slot] { return nil }
        let layout = relationship.layout
        guard row.stored != nil, layout.relationship.json.isExportable,
            !entity.plan.keyRelationships.contains(relationship.index),
            context.parent?.relationship != relationship.index,
            try resolver.unpushed.isSent(layout),
            let shown = try shownList(of: relationship)
        else { return nil }
        return try asSent(layout, of: row) { reader in
            var sent = try reader.linked(layout, of: row.number)
            if let creation = row.changes?.frozen {
                let omitted = try resolver.unpushed.members(of: layout, in: creation)
                sent.removeAll(where: omitted.contains)
            }
            // A list without rows is not sent.
            guard !sent.isEmpty else { return nil }
            return relationship.leadsToKeyless
                ? try match(shown, withParts: sent, of: relationship, in: reader)
                : try match(shown, withLinks: sent, of: relationship)
        }
    }

    /// Passes a reader to `body` for which later edits of a relationship have not been made.
    private func asSent<Value>(
        _ relationship: RelationshipLayout,
        of row: SentRow,
        _ body: (StoreReader) throws -> Value
    ) throws -> Value {
        guard row.changes?.frozen != nil, let open = row.changes?.open,
            let later = try run.reader.capturedChanges([open]).first, later.kind == .update
        else { return try body(run.reader) }
        return try run.writer.knownParts(
            relationship,
            before: later,
            in: run.importer.store,
            body
        ).value
    }

    /// What an object shows of a relationship.
    private enum ShownList {
        /// A row.
        case row(Int64)
        /// A row that is not stored, or nothing that was sent.
        case other
        /// The elements of a list, or one object.
        case elements([JSONNode])
    }

    private func shownList(of relationship: RelationshipPlan) throws -> ShownList? {
        let pending =
            relationship.isToMany
            ? listSource(relationship) : frame.links[relationship.index].pending
        switch pending {
        case .none: return nil
        case .one(.link(let row)): return .row(row)
        case .one(.fill(let token)): return .elements([node.node(at: token)])
        case .one(.release), .one(.unlink), .one(.unresolved): return .other
        case .list(let token, _):
            var (list, elements) = (ListElements(node.node(at: token)), [JSONNode]())
            while let (element, _) = list.next() {
                if element.kind != .null { elements.append(element) }
            }
            return .elements(elements)
        }
    }

    /// Compares links as a set: services return them in any order, unless it means something.
    private func match(
        _ shown: ShownList,
        withLinks sent: [Int64],
        of relationship: RelationshipPlan
    ) throws -> Evidence.Match {
        var rows: [Int64] = []
        switch shown {
        case .other: return .different
        case .row(let row): rows = [row]
        case .elements(let elements):
            for element in elements {
                guard let row = try number(of: element, by: relationship) else {
                    return .different
                }
                rows.append(row)
            }
        }
        let isEqual =
            relationship.isOrdered ? rows == sent : Set(rows) == Set(sent)
        return isEqual ? .equal : .different
    }

    /// Returns the row that an element of a list names; nil if it is not stored.
    func number(of element: JSONNode, by relationship: RelationshipPlan) throws -> Int64? {
        let destination = try run.destination(of: relationship)
        if element.kind == .object, element.pointerKey == nil {
            return try key(of: element, in: destination).flatMap(destination.rows.number(ofKey:))
        }
        let value = element.pointerKey ?? element
        return switch try destination.reference(value, by: relationship, arena: run.arena) {
        case .row(let row): row
        case .missing, .null, .unusable: nil
        }
    }

    /// Returns the key of an embedded object, without reading the rest of it; nil if it has none,
    /// or if the key is unique only within a parent.
    func key(of object: JSONNode, in destination: EntityImport) throws -> [StoredValue]? {
        let named = try run.entity(namedBy: object, in: destination) ?? destination
        var key: [StoredValue] = []
        for (index, part) in named.plan.keyParts.enumerated() {
            guard let slot = part.slot, let value = named.names.value(ofSlot: slot, in: object),
                case .value(let stored) = named.coerceKey(value, part: index, into: run.arena),
                !stored.isNull
            else { return nil }
            key.append(stored)
        }
        return key.isEmpty ? nil : key
    }

    // MARK: Objects without a key

    /// More objects without a key are compared in the order of the list alone.
    private static let longestUnorderedList = 200

    /// Compares objects without a key by their values, in any order unless it means something.
    private func match(
        _ shown: ShownList,
        withParts sent: [Int64],
        of relationship: RelationshipPlan,
        in reader: StoreReader
    ) throws -> Evidence.Match {
        guard case .elements(let elements) = shown, elements.count == sent.count,
            elements.allSatisfy({ $0.kind == .object })
        else { return .different }
        let destination = try run.destination(of: relationship)
        let parts = try sent.map { row in
            try Row.fetchOne(
                reader.db,
                sql: "SELECT * FROM \(destination.rows.statements.tableName) WHERE _id = ?",
                arguments: [row]
            ) ?? Row()
        }
        let inOrder = try zip(elements, parts).map { element, part in
            try match(element, withPart: part, of: destination)
        }
        if !inOrder.contains(.different) {
            return inOrder.contains(.normalized) ? .normalized : .equal
        }
        guard !relationship.isOrdered, parts.count <= Self.longestUnorderedList else {
            return .different
        }
        var (left, isNormalized) = (parts, false)
        for match in [Evidence.Match.equal, .normalized] {
            for element in elements {
                let index = try left.firstIndex {
                    try self.match(element, withPart: $0, of: destination) == match
                }
                guard let index else { continue }
                left.remove(at: index)
                isNormalized = isNormalized || match == .normalized
            }
            if left.isEmpty { return isNormalized ? .normalized : .equal }
        }
        return .different
    }

    private func match(
        _ object: JSONNode,
        withPart part: Row,
        of destination: EntityImport
    ) throws -> Evidence.Match {
        var isNormalized = false
        for slot in 0..<destination.plan.attributeCount {
            let column = destination.plan.slots[slot].column
            let name = destination.rows.table.columns[column].name
            guard
                let attribute = destination.plan.entity.attributes
                    .first(where: { $0.column == column })?.attribute,
                attribute.json.isExportable,
                let sent = part[name] as DatabaseValue?, !sent.isNull,
                let value = destination.names.value(ofSlot: slot, in: object)
            else { continue }
            guard case .value(let shown) = destination.coerce(value, slot: slot, into: run.arena)
            else { return .different }
            if shown.equals(sent) { continue }
            let comparison = try run.listedNames(of: destination)
                .comparison(of: attribute.name, in: destination.plan.mapping)
            if comparison?.isEqual(sent: sent, received: shown.databaseValue) == true { continue }
            guard let sent = String.fromDatabaseValue(sent),
                let shown = String.fromDatabaseValue(shown.databaseValue),
                shown.isStoredForm(of: sent)
            else { return .different }
            isNormalized = true
        }
        return isNormalized ? .normalized : .equal
    }
}

/// What an object shows of the values that were sent to create a row.
private struct Evidence {
    /// How a value compares with the one that was sent.
    enum Match {
        case equal
        /// A text that differs only in what services change when they store one.
        case normalized
        case different
    }

    /// What an equal value proves.
    enum Weight {
        /// Little: many objects have it.
        case common
        /// That the object is linked to the same rows, as others may be.
        case link
        /// That the object may be the same although others of its values differ.
        case value
    }

    private var equal = 0
    private var normalized = 0
    private var different = 0
    private var equalLinks = 0
    private var equalValues = 0
    private var differentValues = 0

    mutating func add(_ match: Match, of weight: Weight) {
        switch match {
        case .normalized:
            normalized += 1
            return
        case .equal: equal += 1
        case .different: different += 1
        }
        switch (weight, match) {
        case (.common, _), (_, .normalized), (.link, .different): break
        case (.link, .equal): equalLinks += 1
        case (.value, .equal): equalValues += 1
        case (.value, .different): differentValues += 1
        }
    }

    private var isSimilar: Bool {
        let count = equalValues + normalized
        return count > 0 && count >= differentValues
    }

    /// Whether more values may change what the object is.
    var isUndecided: Bool { different == 0 || isSimilar }

    var likeness: ObjectImport.Likeness {
        // A text that the service has changed does not show by itself whose object it is.
        if different == 0, equal > 0, normalized == 0 || equalLinks + equalValues > 0 {
            return .equal
        }
        return isSimilar ? .similar : .different
    }
}
