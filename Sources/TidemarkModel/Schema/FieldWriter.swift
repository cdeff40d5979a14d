/// Writes the fields of one object in the textual form of a model.
///
/// Default values are omitted.
struct FieldWriter {
    private var fields: KeyedEncodingContainer<FieldName>

    /// Opens an object.
    init(_ encoder: any Encoder) {
        fields = encoder.container(keyedBy: FieldName.self)
    }

    /// Writes a value.
    mutating func write(_ value: some Encodable, as name: String) throws {
        try fields.encode(value, forKey: FieldName(name))
    }

    /// Writes a value unless it is nil.
    mutating func write(ifAny value: (some Encodable)?, as name: String) throws {
        if let value { try write(value, as: name) }
    }

    /// Writes a Boolean unless it has its default value.
    mutating func write(_ flag: Bool, as name: String, unless usual: Bool) throws {
        if flag != usual { try write(flag, as: name) }
    }

    /// Writes a list of strings unless it is empty.
    ///
    /// A list of one string is written as the string.
    mutating func write(texts: [String], as name: String) throws {
        if !texts.isEmpty { try write(OneOrMore(texts), as: name) }
    }

    /// Writes annotations if there are any.
    mutating func write(userInfo: [String: String]) throws {
        if !userInfo.isEmpty { try write(userInfo, as: "userInfo") }
    }

    /// Writes an object whose keys are the names of its values.
    mutating func write(bodies: [(name: String, body: some Encodable)], as name: String) throws {
        guard !bodies.isEmpty else { return }
        var inner = fields.nestedContainer(keyedBy: FieldName.self, forKey: FieldName(name))
        for (name, body) in bodies { try inner.encode(body, forKey: FieldName(name)) }
    }
}
