package import TidemarkJSON

extension Value {
    /// Reads a value of an attribute's type in the form that `JSONWriter.tagged(_:)` writes.
    ///
    /// A value may also be untagged if the type determines its meaning: `"2014-02-14"` for a date,
    /// `12.2` for a decimal. Binary values must be tagged. For a JSON attribute, no object is
    /// interpreted as a tag.
    ///
    /// - Throws: ``CoercionFailure`` if the value is not of the type or is tagged as another type.
    package init(tagged node: JSONNode, type: AttributeType) throws(CoercionFailure) {
        self = try ValueArena.lasting { arena throws(CoercionFailure) in
            try Value(tagged: node, type: type, in: arena)
        }
    }

    private init(
        tagged node: JSONNode,
        type: AttributeType,
        in arena: ValueArena
    ) throws(CoercionFailure) {
        let tag = type == .json ? nil : Self.tag(node)
        if let tag, tag.type != type, tag.type != .binary || type != .transformable {
            throw .otherType(type)
        }
        let value = tag?.value ?? node
        switch type {
        case .binary, .transformable:
            guard value.kind != .null else {
                self = .null
                return
            }
            // An untagged string may be text or base64.
            guard tag != nil else { throw .otherType(type) }
            self = .binary(Array(try Coercion.base64(value, in: arena)))
        case .date where tag != nil && value.kind == .number:
            self = try Self.date(seconds: value)
        case .date, .json, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
            .boolean, .uuid, .uri:
            self = try Self.plain(value, of: type, in: arena)
        }
    }

    /// Reads seconds since 1970, the tagged form of dates that do not fit the years 0 to 9999.
    private static func date(seconds node: JSONNode) throws(CoercionFailure) -> Value {
        guard let seconds = node.double else { throw .notADate }
        return .date(seconds)
    }

    private static func plain(
        _ node: JSONNode,
        of type: AttributeType,
        in arena: ValueArena
    ) throws(CoercionFailure) -> Value {
        let coercion: Coercion
        do throws(ModelError) {
            coercion = try Coercion(Attribute("value", type))
        } catch {
            throw .otherType(type)
        }
        switch coercion.coerce(node, into: arena) {
        case .value(let stored): return Value(stored, type: type)
        case .failure(let failure): throw failure
        case .ignored: throw .notTransformed
        }
    }

    /// Returns the tag and the tagged value of an object that has exactly one member.
    private static func tag(_ node: JSONNode) -> (type: AttributeType, value: JSONNode)? {
        guard node.kind == .object, node.firstChild < node.next else { return nil }
        let name = node.node(at: node.firstChild)
        let value = node.node(at: node.firstChild + 1)
        guard value.next == node.next else { return nil }
        return switch name.string {
        case "$date": (.date, value)
        case "$decimal": (.decimal, value)
        case "$uuid": (.uuid, value)
        case "$url": (.uri, value)
        case "$binary": (.binary, value)
        default: nil
        }
    }
}
