import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// A breadth-first traversal from one row to all rows that are embedded in it.
///
/// Breadth first, so that each row is written in full where it is nested least. Wherever else it is
/// linked, only its attributes are written, without relationships. So every list is complete,
/// cycles end, and the size grows linearly with the number of rows and links. The relationship back
/// to the object that contains a row is omitted.
///
/// In an exported list this holds for the list as a whole, except that its items are written in the
/// list itself, and only their keys elsewhere.
///
/// The traversal is iterative, because the thread's stack may be small.
struct ExportTraversal {
    private let exporter: Exporter
    private let reader: StoreReader

    /// The rows that are written in the whole list; nil if a single row is exported.
    private let rows: ExportedRows?

    /// The nesting depth above which the key of an embedded row is written instead of the row.
    private let deepest: Int

    /// The rows that are written in full, the outermost first.
    private var nodes: [Node] = []
    private var indexes: [RowReference: Int] = [:]

    /// The number of objects that are written.
    private var count = 0

    /// The relationships of the outermost row that are left out of a request.
    private var omitted: Set<String> = []

    /// The relationships of the outermost row that are not written because a linked row has no key.
    private(set) var unwritten: Set<String> = []

    /// A row that is written in full.
    private struct Node {
        let record: StoredRecord
        let names: ExportNames
        /// The properties that are written; nil for all.
        let properties: Set<String>?
        /// The nesting depth of arrays and objects inside the row.
        let depth: Int
        /// The object that contains the row; nil for the outermost row.
        let container: Container?

        var links: [(relationship: ExportNames.RelationshipName, content: Content)] = []
    }

    /// The object that contains a row, and the row's inverse relationship to it.
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

    /// An object of a relationship.
    private enum Member {
        /// A row in full, by its index in ``nodes``.
        case full(Int)
        /// The attributes of a row that is written in full elsewhere.
        case attributes(StoredRecord)
        /// The key of a row that is an item, is nested too deeply, or is not stored.
        case reference(ExportTree)
    }

    /// The form in which a linked row is written.
    private enum Form {
        case full
        case attributes(StoredRecord)
        case reference(ExportTree)
    }

    init(_ exporter: Exporter, reader: StoreReader, rows: ExportedRows?, deepest: Int) {
        self.exporter = exporter
        self.reader = reader
        self.rows = rows
        self.deepest = deepest
    }

    /// Returns a row with all rows that are embedded in it.
    ///
    /// - Parameters:
    ///   - record: The row.
    ///   - properties: The properties that are written; nil for all.
    ///   - omitted: The properties that are not written.
    ///   - depth: The number of arrays that contain the row.
    /// - Returns: The object.
    /// - Throws: ``ImportError/Code/tooManyObjects``, ``ImportError/Code/tooDeep``,
    ///   ``ImportError/Code/unwritableValue``, `StoreError` if the model lacks an entity,
    ///   `DatabaseError`.
    mutating func tree(
        of record: StoredRecord,
        only properties: Set<String>?,
        omitting omitted: Set<String> = [],
        depth: Int
    ) throws -> ExportTree {
        self.omitted = omitted
        _ = try add(record, only: properties, depth: depth + 1, in: nil)
        var index = 0
        while index < nodes.count {
            nodes[index].links = try links(of: nodes[index])
            index += 1
        }
        let object = try object()
        guard depth + object.depth <= exporter.limits.json.depth else { throw tooDeep }
        // Only now: an item that is nested too deeply is built again, and must not find its own
        // rows embedded elsewhere.
        for node in nodes { try rows?.insert(node.record.reference) }
        return object
    }

    // MARK: Visiting

    private mutating func add(
        _ record: StoredRecord,
        only properties: Set<String>?,
        depth: Int,
        in container: Container?
    ) throws -> Int {
        indexes[record.reference] = nodes.count
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
        guard depth <= exporter.limits.json.depth else { throw tooDeep }
    }

    /// Returns what is written of a row's relationships, and adds the rows that are embedded in it
    /// to the traversal.
    private mutating func links(
        of node: Node
    ) throws -> [(relationship: ExportNames.RelationshipName, content: Content)] {
        let entity = try reader.layout.entity(node.record.reference.entity)
        var contents: [(relationship: ExportNames.RelationshipName, content: Content)] = []
        for relationship in node.names.relationships {
            let name = relationship.relationship.name
            guard node.properties?.contains(name) != false,
                node.container != nil || !omitted.contains(name),
                let layout = entity.relationship(name),
                layout.identifier != node.container?.inverse
            else { continue }
            let links = node.record.links[name] ?? []
            let held = try reader.unresolvedKeys(layout, of: node.record.reference.number)
            // A list that no edit has touched is not a part of a new object: a service may reject
            // an empty one.
            let isNew = exporter.change != nil && node.container == nil && node.properties == nil
            if isNew, relationship.relationship.isToMany, links.isEmpty, held.isEmpty { continue }
            // A partial update has to clear the relationship explicitly.
            if node.properties != nil, links.isEmpty, held.isEmpty {
                contents.append((relationship, .nothing))
            }
            switch exporter.representation(of: relationship) {
            case .none:
                continue
            case .ids:
                contents.append((relationship, .keys(held)))
            case .objects, .nestedAttributes:
                guard relationship.key != nil,
                    let members = try members(
                        of: relationship,
                        layout: layout,
                        links: links,
                        unresolved: held,
                        node: node
                    )
                else { continue }
                contents.append((relationship, .objects(members)))
            }
        }
        return contents
    }

    /// Returns the objects of a relationship; nil if one of them cannot be written, because an
    /// import would unlink a row that the list lacks.
    private mutating func members(
        of relationship: ExportNames.RelationshipName,
        layout: RelationshipLayout,
        links: [RowReference],
        unresolved: [UnresolvedKey],
        node: Node
    ) throws -> [Member]? {
        let own = node.record.reference
        if !relationship.relationship.isToMany {
            guard let link = links.first else { return nil }
            // The key of an item ends a cycle, so that the relationship back to the container can
            // be written.
            let isItem = try rows?.isItem(link) ?? false
            guard isItem || link != node.container?.row else { return nil }
        }
        var references: [(reference: ExportTree, position: Int?)] = []
        for key in unresolved {
            let tree = try exporter.reference(to: key, by: relationship, of: node.record)
            guard let tree else { return nil }
            references.append((tree, key.position))
        }
        let depth = node.depth + relationship.levels + 1
        // An empty array is only one level less deep than its items would be.
        guard rows == nil || depth - 1 <= exporter.limits.json.depth else { return nil }
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
            try member(link, as: form, depth: depth, in: container)
        }
        for (tree, position) in references {
            members.insert(.reference(tree), at: min(position ?? members.count, members.count))
        }
        return members
    }

    /// Returns the form of a linked row; nil if it cannot be written.
    ///
    /// A row without a key can only be written in full: elsewhere, an import would take its
    /// attributes for another row.
    private func form(of link: RowReference, depth: Int) throws -> Form? {
        if try depth > deepest || rows?.isItem(link) == true {
            let key = try exporter.reference(to: link, reader: reader)
            guard let key, depth - 1 + key.depth <= exporter.limits.json.depth else { return nil }
            return .reference(key)
        }
        let record: StoredRecord
        if let index = indexes[link] {
            record = nodes[index].record
        } else if try rows?.isEmbedded(link) == true {
            record = try reader.record(RecordLocator(link))
        } else {
            return .full
        }
        let hasKey = try exporter.hasKey(record, names: exporter.names(link.entity))
        return hasKey ? .attributes(record) : nil
    }

    private mutating func member(
        _ link: RowReference,
        as form: Form,
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
            // The same row may be an element of an ordered list twice.
            if let index = indexes[link] {
                try countObject(depth: depth)
                return .attributes(nodes[index].record)
            }
            let record = try reader.record(RecordLocator(link))
            return .full(try add(record, only: nil, depth: depth, in: container))
        }
    }

    // MARK: Writing

    /// Returns the outermost object.
    ///
    /// A row comes after the rows that contain it, so that building from the last row to the first
    /// needs no recursion.
    private mutating func object() throws -> ExportTree {
        var objects: [Int: ExportTree] = [:]
        for (index, node) in nodes.enumerated().reversed() {
            // JSON:API separates references from the rest of an object.
            let isSeparate = index == 0 && exporter.change?.isLinkage == true
            var members = try attributes(
                of: node.record,
                only: node.properties,
                isOutermost: index == 0
            )
            var references = isSeparate ? ExportTree.Members() : members
            for (relationship, content) in node.links {
                switch content {
                case .nothing:
                    exporter.addNothing(of: relationship, to: &references)
                case .keys(let held):
                    let isComplete = try exporter.addKeys(
                        of: relationship,
                        record: node.record,
                        unresolved: held,
                        reader: reader,
                        to: &references
                    )
                    if !isComplete, index == 0 { unwritten.insert(relationship.relationship.name) }
                case .objects(let list):
                    let trees = try list.compactMap { (member: Member) -> ExportTree? in
                        switch member {
                        case .full(let index): objects.removeValue(forKey: index)
                        case .attributes(let record): .object(try attributes(of: record, only: nil))
                        case .reference(let tree): tree
                        }
                    }
                    if isSeparate {
                        exporter.add(trees, of: relationship, to: &members)
                    } else {
                        exporter.add(trees, of: relationship, to: &references)
                    }
                }
            }
            objects[index] = .object(
                isSeparate ? Self.resource(members, references) : references
            )
        }
        return objects[0] ?? .object(ExportTree.Members())
    }

    private static func resource(
        _ attributes: ExportTree.Members,
        _ relationships: ExportTree.Members
    ) -> ExportTree.Members {
        var members = ExportTree.Members()
        for (name, part) in [("attributes", attributes), ("relationships", relationships)]
        where !part.names.isEmpty {
            var part = part
            part.isPart = true
            members.add(.object(part), at: name)
        }
        return members
    }

    /// Returns the attributes of a row and, unless it is written only in part, the keys of its
    /// parents.
    private func attributes(
        of record: StoredRecord,
        only properties: Set<String>?,
        isOutermost: Bool = false
    ) throws -> ExportTree.Members {
        let names = try exporter.names(record.reference.entity)
        var members = ExportTree.Members()
        members.origin = .init(row: record.reference, key: names.ownKey)
        try exporter.addAttributes(
            of: record,
            names: names,
            only: properties,
            omitting: isOutermost ? omitted : [],
            isOutermost: isOutermost,
            to: &members
        )
        if properties == nil {
            try exporter.addParentKeys(of: record, names: names, reader: reader, to: &members)
        }
        return members
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
            "\(outermost) leads to objects nested deeper than \(exporter.limits.json.depth) levels.",
            hint: count > 1
                ? "Export the keys of linked rows instead, or leave relationships out."
                : "Export other properties of it alone, or this row by itself."
        )
    }
}
