import TidemarkModel
import TidemarkStore

/// A row and all that is embedded in it.
///
/// Rows are visited breadth first, so that each is written in full where it is nested least.
/// Wherever else it is linked, its attributes are written again, without relationships. So every
/// list is complete, and the size grows with rows and links, whatever circles they form. The
/// relationship back to the object that contains a row is left out.
///
/// In an exported list the same holds for the whole of it, except that its items are in the list
/// itself, and only their keys are written elsewhere.
///
/// Nothing recurses: the thread's stack may be small.
struct ExportWalk {
    private let exporter: Exporter
    private let reader: StoreReader

    /// The rows that are written in the whole list; nil where a row is exported by itself.
    private let rows: ExportedRows?

    /// How many arrays and objects may be open inside an embedded row before its key is written
    /// instead.
    private let deepest: Int

    /// The rows that are written in full, the outermost first.
    private var nodes: [Node] = []
    private var places: [RowReference: Int] = [:]

    /// How many objects are written.
    private var count = 0

    /// A row that is written in full.
    private struct Node {
        let record: StoredRecord
        let names: ExportNames
        /// What is written of it; nil for all.
        let properties: Set<String>?
        /// How many arrays and objects are open inside it.
        let depth: Int
        /// The object that contains it; nil for the outermost.
        let container: Container?

        var links: [(relationship: ExportNames.RelationshipName, content: Content)] = []
    }

    /// The object that contains a row, and the relationship of the row that leads back.
    private struct Container {
        let row: RowReference
        let inverse: String?
    }

    /// What is written of a relationship.
    private enum Content {
        case nothing
        case keys([UnresolvedKey])
        case objects([Member])
    }

    /// An object among those of a relationship.
    private enum Member {
        /// A row in full, by its place among the nodes.
        case full(Int)
        /// The attributes of a row that is written in full elsewhere.
        case attributes(StoredRecord)
        /// The key of a row that is an item, nested too deep, or not in the store.
        case reference(ExportTree)
    }

    /// How a linked row is written.
    private enum Form {
        case full
        case attributes(StoredRecord)
        case reference(ExportTree)
    }

    init(_ exporter: Exporter, _ reader: StoreReader, _ rows: ExportedRows?, deepest: Int) {
        self.exporter = exporter
        self.reader = reader
        self.rows = rows
        self.deepest = deepest
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
        _ = try add(record, properties, depth: depth + 1, in: nil)
        var place = 0
        while place < nodes.count {
            nodes[place].links = try links(of: nodes[place])
            place += 1
        }
        let object = try object()
        guard depth + object.depth <= exporter.limits.jsonDepth else { throw tooDeep }
        for node in nodes { try rows?.insert(node.record.reference, reader) }
        return object
    }

    // MARK: Visiting

    private mutating func add(
        _ record: StoredRecord,
        _ properties: Set<String>?,
        depth: Int,
        in container: Container?
    ) throws -> Int {
        places[record.reference] = nodes.count
        nodes.append(
            Node(
                record: record,
                names: try exporter.names(record.reference.entity),
                properties: properties,
                depth: depth,
                container: container
            )
        )
        try countObject(depth: depth)
        return nodes.count - 1
    }

    private mutating func countObject(depth: Int) throws {
        count += 1
        guard count <= exporter.limits.exportedObjects else { throw tooManyObjects }
        guard depth <= exporter.limits.jsonDepth else { throw tooDeep }
    }

    /// What is written of the relationships of a row, which adds the rows that are embedded in it.
    private mutating func links(
        of node: Node
    ) throws -> [(relationship: ExportNames.RelationshipName, content: Content)] {
        let entity = try reader.layout.entity(node.record.reference.entity)
        var contents: [(relationship: ExportNames.RelationshipName, content: Content)] = []
        for relationship in node.names.relationships {
            let name = relationship.relationship.name
            guard node.properties?.contains(name) != false,
                let layout = entity.relationship(name),
                layout.identifier != node.container?.inverse
            else { continue }
            let links = node.record.links[name] ?? []
            let held = try reader.heldKeys(layout, of: node.record.reference.number)
            if node.properties != nil, links.isEmpty, held.isEmpty {
                contents.append((relationship, .nothing))
            }
            switch exporter.options.relationships {
            case .none:
                continue
            case .ids:
                contents.append((relationship, .keys(held)))
            case .objects, .nestedAttributes:
                guard relationship.key != nil,
                    let members = try members(links, held, relationship, layout, node)
                else { continue }
                contents.append((relationship, .objects(members)))
            }
        }
        return contents
    }

    /// The objects of a relationship; nil where one of them cannot be written, for a list without
    /// it would say that it is no member.
    private mutating func members(
        _ links: [RowReference],
        _ held: [UnresolvedKey],
        _ relationship: ExportNames.RelationshipName,
        _ layout: RelationshipLayout,
        _ node: Node
    ) throws -> [Member]? {
        let own = node.record.reference
        if !relationship.relationship.isToMany {
            guard let link = links.first else { return nil }
            // An item is written as its key, which closes no circle.
            let isItem = try rows?.isItem(link, reader) ?? false
            guard isItem || link != node.container?.row else { return nil }
        }
        var references: [(reference: ExportTree, place: Int?)] = []
        for held in held {
            let tree = try exporter.reference(to: held, relationship, of: node.record)
            guard let tree else { return nil }
            references.append((tree, held.place))
        }
        let depth = node.depth + relationship.levels + 1
        // An empty list is as deep as its items are, but for one.
        guard rows == nil || depth - 1 <= exporter.limits.jsonDepth else { return nil }
        var forms: [Form] = []
        for link in links {
            guard let form = try form(of: link, depth: depth) else { return nil }
            forms.append(form)
        }
        let container = Container(
            row: own,
            inverse: reader.layout.inverse(of: layout)?.identifier
        )
        var members = try zip(links, forms).map { link, form in
            try member(link, form, depth: depth, in: container)
        }
        for (tree, place) in references {
            members.insert(.reference(tree), at: min(place ?? members.count, members.count))
        }
        return members
    }

    /// How a linked row is written; nil where it cannot be: without a key it would be another row
    /// where it is not in full.
    private func form(of link: RowReference, depth: Int) throws -> Form? {
        if try depth > deepest || rows?.isItem(link, reader) == true {
            let key = try exporter.reference(to: link, reader)
            guard let key, depth - 1 + key.depth <= exporter.limits.jsonDepth else { return nil }
            return .reference(key)
        }
        let record: StoredRecord
        if let place = places[link] {
            record = nodes[place].record
        } else if try rows?.isEmbedded(link, reader) == true {
            record = try reader.record(RecordLocator(link.description))
        } else {
            return .full
        }
        let hasKey = try exporter.hasKey(record, exporter.names(link.entity))
        return hasKey ? .attributes(record) : nil
    }

    private mutating func member(
        _ link: RowReference,
        _ form: Form,
        depth: Int,
        in container: Container
    ) throws -> Member {
        switch form {
        case .reference(let key):
            return .reference(key)
        case .attributes(let record):
            try countObject(depth: depth)
            return .attributes(record)
        case .full:
            // A list of an order may have a row twice.
            if let place = places[link] {
                try countObject(depth: depth)
                return .attributes(nodes[place].record)
            }
            let record = try reader.record(RecordLocator(link.description))
            return .full(try add(record, nil, depth: depth, in: container))
        }
    }

    // MARK: Writing

    /// The outermost object.
    ///
    /// Rows come after those that contain them, so the last is built first.
    private func object() throws -> ExportTree {
        var objects: [Int: ExportTree] = [:]
        for (place, node) in nodes.enumerated().reversed() {
            var members = ExportTree.Members()
            try exporter.addAttributes(
                of: node.record,
                node.names,
                node.properties,
                to: &members
            )
            if node.properties == nil {
                try exporter.addParentKeys(of: node.record, node.names, reader, to: &members)
            }
            for (relationship, content) in node.links {
                switch content {
                case .nothing:
                    exporter.addNothing(relationship, to: &members)
                case .keys(let held):
                    try exporter.addKeys(
                        relationship,
                        of: node.record,
                        held,
                        reader,
                        to: &members
                    )
                case .objects(let list):
                    let trees = try list.compactMap { (member: Member) -> ExportTree? in
                        switch member {
                        case .full(let place): objects.removeValue(forKey: place)
                        case .attributes(let record): try attributes(of: record)
                        case .reference(let tree): tree
                        }
                    }
                    exporter.add(relationship, trees, to: &members)
                }
            }
            objects[place] = .object(members)
        }
        return objects[0] ?? .object(ExportTree.Members())
    }

    private func attributes(of record: StoredRecord) throws -> ExportTree {
        let names = try exporter.names(record.reference.entity)
        var members = ExportTree.Members()
        try exporter.addAttributes(of: record, names, nil, to: &members)
        try exporter.addParentKeys(of: record, names, reader, to: &members)
        return .object(members)
    }

    private var outermost: String { nodes.first?.record.reference.description ?? "The row" }

    // MARK: Limits

    private var tooManyObjects: ImportError {
        ImportError(
            .tooManyObjects,
            "\(outermost) leads to more than \(exporter.limits.exportedObjects) embedded objects.",
            hint: "Export the keys of linked rows instead, or leave relationships out."
        )
    }

    private var tooDeep: ImportError {
        ImportError(
            .tooDeep,
            "\(outermost) leads to objects nested deeper than \(exporter.limits.jsonDepth) levels.",
            hint: count > 1
                ? "Export the keys of linked rows instead, or leave relationships out."
                : "Export other properties of it alone, or this row by itself."
        )
    }
}
