extension Value {
    /// Reads a value of an attribute's type as ``JSONWriter/tagged(_:)`` writes it.
    ///
    /// A value may also stand untagged where its type leaves no doubt: `"2014-02-14"` for a date,
    /// `12.2` for a decimal. Bytes must be tagged. For a JSON attribute nothing is a tag.
    ///
    /// - Throws: ``CoercionFailure`` when the value is not of the type, or tagged as another.
    public init(tagged node: JSONNode, type: AttributeType) throws(CoercionFailure) {
        self = try ValueArena.lasting { arena throws(CoercionFailure) in
            try Value(tagged: node, type: type, arena)
        }
    }

    private init(
        tagged node: JSONNode,
        type: AttributeType,
        _ arena: ValueArena
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
            guard tag != nil else { throw .otherType(type) }
            self = .binary(Array(try Coercion.base64(value, arena)))
        case .date where tag != nil && value.kind == .number:
            self = try Self.date(seconds: value)
        case .date, .json, .integer16, .integer32, .integer64, .decimal, .double, .float, .string,
            .boolean, .uuid, .uri:
            self = try Self.plain(value, type, arena)
        }
    }

    /// Seconds since 1970, which is how dates are tagged that no calendar holds.
    private static func date(seconds node: JSONNode) throws(CoercionFailure) -> Value {
        guard let seconds = node.double else { throw .notADate }
        return .date(seconds)
    }

    private static func plain(
        _ node: JSONNode,
        _ type: AttributeType,
        _ arena: ValueArena
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

    /// The tag of an object of one member, and what is tagged.
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
