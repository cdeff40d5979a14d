import TidemarkModel
import TidemarkStore

/// The way through a row and all that is embedded in it.
///
/// The rows on the way stand in a list and not on the thread's stack, which may be small.
struct ExportWalk {
    private let exporter: Exporter
    private let reader: StoreReader

    /// The rows that are being written, the outermost first.
    private var frames: [Frame] = []
    private var open: Set<RowReference> = []

    /// How many objects there are so far.
    ///
    /// Where everything is linked with everything, the ways through the rows are endless in all but
    /// name.
    private var count = 0

    /// A row that is being written.
    private struct Frame {
        let record: StoredRecord
        let names: ExportNames
        /// What is written of it; nil for all.
        let properties: Set<String>?
        /// How many arrays and objects are open inside it.
        let depth: Int

        var members = ExportTree.Members()
        /// The place of the relationship whose turn it is.
        var place = 0
        /// The rows that remain to be embedded for it; nil before it has begun.
        var links: ArraySlice<RowReference>?
        /// Those that are embedded already.
        var objects: [ExportTree] = []

        var relationship: ExportNames.RelationshipName { names.relationships[place] }

        mutating func endRelationship() {
            place += 1
            links = nil
            objects = []
        }
    }

    init(_ exporter: Exporter, _ reader: StoreReader) {
        self.exporter = exporter
        self.reader = reader
    }

    /// A row with what is embedded in it.
    ///
    /// - Parameters:
    ///   - record: the row.
    ///   - properties: what is written of it; nil for all.
    ///   - depth: how many arrays it stands in.
    /// - Returns: the object, or the tree of objects.
    /// - Throws: ``ImportError/Code/tooManyObjects``, ``ImportError/Code/tooDeep``,
    ///   ``ImportError/Code/unwritableValue``, `StoreError` when the model lacks an entity,
    ///   `DatabaseError`.
    mutating func tree(
        of record: StoredRecord,
        _ properties: Set<String>?,
        depth: Int
    ) throws -> ExportTree {
        try enter(record, properties, depth: depth + 1)
        while true {
            guard let object = try step() else { continue }
            guard depth + object.depth <= exporter.limits.jsonDepth else {
                throw tooDeep(record.reference)
            }
            return object
        }
    }

    /// Goes into the next row or out of this one; the outermost object when it is complete.
    private mutating func step() throws -> ExportTree? {
        let last = frames.count - 1
        if frames[last].place == frames[last].names.relationships.count { return leave() }
        if frames[last].links == nil {
            try beginRelationship()
        } else if let link = frames[last].links?.popFirst() {
            try enter(link)
        } else {
            exporter.add(
                frames[last].relationship,
                frames[last].objects,
                to: &frames[last].members
            )
            frames[last].endRelationship()
        }
        return nil
    }

    // MARK: Rows

    private mutating func enter(_ link: RowReference) throws {
        let around = frames[frames.count - 1]
        let record = try reader.record(RowName(link.description))
        try enter(record, nil, depth: around.depth + around.relationship.levels + 1)
    }

    private mutating func enter(
        _ record: StoredRecord,
        _ properties: Set<String>?,
        depth: Int
    ) throws {
        let outermost = frames.first?.record.reference ?? record.reference
        count += 1
        guard count <= exporter.limits.exportedObjects else { throw tooManyObjects(outermost) }
        guard depth <= exporter.limits.jsonDepth else { throw tooDeep(outermost) }
        let names = try exporter.names(record.reference.entity)
        var frame = Frame(record: record, names: names, properties: properties, depth: depth)
        try exporter.addAttributes(of: record, names, properties, to: &frame.members)
        frames.append(frame)
        open.insert(record.reference)
    }

    /// Ends the innermost object; returns it when it stands in no other.
    private mutating func leave() -> ExportTree? {
        let frame = frames.removeLast()
        open.remove(frame.record.reference)
        let object = ExportTree.object(frame.members)
        guard !frames.isEmpty else { return object }
        frames[frames.count - 1].objects.append(object)
        return nil
    }

    /// Adds what is told without going into other rows, or finds out into which to go.
    private mutating func beginRelationship() throws {
        var frame = frames.removeLast()
        defer { frames.append(frame) }
        let relationship = frame.relationship
        let name = relationship.relationship.name
        let links = frame.record.links[name] ?? []
        let isWritten = frame.properties?.contains(name) != false
        let held = isWritten ? try heldKeys(name, of: frame.record) : []
        if isWritten, frame.properties != nil, links.isEmpty, held.isEmpty {
            exporter.addNothing(relationship, to: &frame.members)
        }
        switch exporter.options.relationships {
        case .objects where isWritten && relationship.key != nil,
            .nestedAttributes where isWritten && relationship.key != nil:
            frame.links = links.filter { !open.contains($0) }[...]
        case .ids where isWritten:
            try exporter.addKeys(
                relationship,
                of: frame.record,
                held,
                reader,
                to: &frame.members
            )
            frame.endRelationship()
        case .none, .ids, .objects, .nestedAttributes:
            frame.endRelationship()
        }
    }

    /// What a relationship of a row waits for; nothing is said of that but its keys.
    private func heldKeys(_ relationship: String, of record: StoredRecord) throws -> [HeldKey] {
        let entity = try reader.layout.entity(record.reference.entity)
        return try entity.relationship(relationship).map { relationship in
            try reader.heldKeys(relationship, of: record.reference.number)
        } ?? []
    }

    // MARK: Limits

    private func tooManyObjects(_ row: RowReference) -> ImportError {
        ImportError(
            .tooManyObjects,
            "\(row) leads to more than \(exporter.limits.exportedObjects) embedded objects.",
            hint: "Export the keys of linked rows instead, or leave relationships out."
        )
    }

    private func tooDeep(_ row: RowReference) -> ImportError {
        ImportError(
            .tooDeep,
            "\(row) leads to objects nested deeper than \(exporter.limits.jsonDepth) levels.",
            hint: count > 1
                ? "Export the keys of linked rows instead, or leave relationships out."
                : "Export other properties of it alone, or this row by itself."
        )
    }
}
