/// Writes the fields of one object of a model's textual form, leaving out what goes without saying.
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

    /// Writes a value if there is one.
    mutating func write(_ name: String, ifAny value: (some Encodable)?) throws {
        if let value { try write(name, value) }
    }

    /// Writes a flag unless it has its usual value.
    mutating func write(_ name: String, _ flag: Bool, unless usual: Bool) throws {
        if flag != usual { try write(name, flag) }
    }

    /// Writes texts, one alone as itself.
    mutating func write(_ name: String, texts: [String]) throws {
        if !texts.isEmpty { try write(name, OneOrMore(texts)) }
    }

    /// Writes annotations, if there are any.
    mutating func write(userInfo: [String: String]) throws {
        if !userInfo.isEmpty { try write("userInfo", userInfo) }
    }

    /// Writes an object whose keys are the names of its bodies.
    mutating func write(_ name: String, bodies: [(name: String, body: some Encodable)]) throws {
        guard !bodies.isEmpty else { return }
        var inner = fields.nestedContainer(keyedBy: FieldName.self, forKey: FieldName(name))
        for (name, body) in bodies { try inner.encode(body, forKey: FieldName(name)) }
    }
}
