package import TidemarkJSON
package import TidemarkModel

/// The objects of a page in their plain form, as an import reads them.
package struct PlainObjects<Base: JSONItems>: JSONItems {
    /// The objects in the form of the page.
    package private(set) var base: Base
    private let style: ObjectStyle
    private let item: JSONPath
    private let linkedTypes: Set<String>
    private let limits: Limits

    /// Creates the objects of items.
    ///
    /// - Parameters:
    ///   - base: The items.
    ///   - style: The format of the objects.
    ///   - item: The path of the object within an item.
    ///   - linkedTypes: The types of which only keys are known.
    ///   - limits: The limits of the text of an object.
    package init(
        _ base: Base,
        in style: ObjectStyle,
        item: [String] = [],
        linkedTypes: Set<String> = [],
        limits: Limits
    ) {
        self.base = base
        self.style = style
        self.item = JSONPath(item)
        self.linkedTypes = linkedTypes
        self.limits = limits
    }

    /// Passes the next object to `body`, and returns whether there was one.
    package mutating func next(_ body: (JSONNode) throws -> Void) throws -> Bool {
        let (limits, item, linkedTypes) = (limits, item, linkedTypes)
        switch style {
        case .plain where item.isEmpty:
            return try base.next(body)
        case .plain:
            return try base.next { element in
                if let node = element.node(at: item) { return try body(node) }
                // To be reported: the list must not look as if it lacked the object. The element
                // itself may have a member with the name of the key.
                try JSONDocument(Array("null".utf8)).withRoot(body)
            }
        case .resourceObject:
            return try base.next { element in
                let node = element.node(at: item) ?? element
                var writer = JSONWriter()
                writer.plainObject(of: node, linkedTypes: linkedTypes)
                // The text is scanned again, because a node is a position in a document. An import
                // that read resource objects in place would need a second path for each member.
                try JSONDocument(writer.bytes, limits: limits.json).withRoot(body)
            }
        }
    }
}

extension PlainObjects: Sendable where Base: Sendable {}

extension ObjectStyle {
    /// The member of a document that contains related objects.
    var included: String? {
        switch self {
        case .plain: nil
        case .resourceObject: "included"
        }
    }

    /// The member of a plain object that contains its type, if a page may have objects of several
    /// types; nil otherwise.
    package var kind: String? {
        switch self {
        case .plain: nil
        case .resourceObject: JSONWriter.kindName
        }
    }
}

extension JSONWriter {
    /// The member that contains the type of a resource object.
    fileprivate static let kindName = "__type"

    /// Writes a JSON:API resource object as a plain object: its attributes next to its `id`, and
    /// each relationship with resource linkage as an `id` or an array of them.
    ///
    /// A relationship without linkage is omitted: absent is not the same as null.
    ///
    /// Source: JSON:API 1.1, “Resource Objects” and “Resource Linkage”.
    ///
    /// - Parameters:
    ///   - node: The resource object.
    ///   - linkedTypes: The types of which only keys are known: linkage to them is written as
    ///     objects, which an import inserts.
    ///   - entity: Returns the entity for a type; linkage is then written as pointers to that
    ///     entity. Defaults to nil: only the `id` is written.
    mutating func plainObject(
        of node: JSONNode,
        linkedTypes: Set<String> = [],
        entity: ((String) -> String)? = nil
    ) {
        guard node.kind == .object else { return raw(node.source) }
        beginObject()
        if entity == nil, let type = node.member("type") { member(Self.kindName, of: type) }
        if let id = node.member("id") { member("id", of: id) }
        if let attributes = node.member("attributes"), attributes.kind == .object {
            for (name, value) in attributes.members { member(name.string, of: value) }
        }
        if let relationships = node.member("relationships"), relationships.kind == .object {
            for (name, relationship) in relationships.members {
                guard relationship.kind == .object, let linkage = relationship.member("data")
                else { continue }
                key(name.string)
                identifiers(in: linkage, linkedTypes: linkedTypes, entity: entity)
            }
        }
        endObject()
    }

    private mutating func identifiers(
        in linkage: JSONNode,
        linkedTypes: Set<String>,
        entity: ((String) -> String)?
    ) {
        switch linkage.kind {
        case .array:
            beginArray()
            for element in linkage.elements {
                identifiers(in: element, linkedTypes: linkedTypes, entity: entity)
            }
            endArray()
        case .object:
            guard let id = linkage.member("id") else { return null() }
            guard let type = linkage.member("type"), type.kind == .string else {
                return raw(id.source)
            }
            guard let entity else {
                let isKnown = linkedTypes.isEmpty || !linkedTypes.contains(type.string)
                return isKnown ? raw(id.source) : object(of: id)
            }
            beginObject()
            key("__type")
            string("Pointer")
            key("className")
            string(entity(type.string))
            member("objectId", of: id)
            endObject()
        case .null, .string, .number, .true, .false:
            raw(linkage.source)
        }
    }

    private mutating func object(of id: JSONNode) {
        beginObject()
        member("id", of: id)
        endObject()
    }

    private mutating func member(_ name: String, of node: JSONNode) {
        key(name)
        raw(node.source)
    }
}
