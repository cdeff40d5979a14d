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
    mutating func write(_ name: String, _ value: some Encodable) throws {
        try fields.encode(value, forKey: FieldName(name))
    }

    /// Writes a value unless it is nil.
    mutating func write(_ name: String, ifAny value: (some Encodable)?) throws {
        if let value { try write(name, value) }
    }

    /// Writes a Boolean unless it has its default value.
    mutating func write(_ name: String, _ flag: Bool, unless usual: Bool) throws {
        if flag != usual { try write(name, flag) }
    }

    /// Writes a list of strings unless it is empty.
    ///
    /// A list of one string is written as the string.
    mutating func write(_ name: String, texts: [String]) throws {
        if !texts.isEmpty { try write(name, OneOrMore(texts)) }
    }

    /// Writes annotations if there are any.
    mutating func write(userInfo: [String: String]) throws {
        if !userInfo.isEmpty { try write("userInfo", userInfo) }
    }

    /// Writes an object whose keys are the names of its values.
    mutating func write(_ name: String, bodies: [(name: String, body: some Encodable)]) throws {
        guard !bodies.isEmpty else { return }
        var inner = fields.nestedContainer(keyedBy: FieldName.self, forKey: FieldName(name))
        for (name, body) in bodies { try inner.encode(body, forKey: FieldName(name)) }
    }
}
