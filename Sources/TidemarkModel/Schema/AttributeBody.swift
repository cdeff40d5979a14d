/// The value of an attribute's key in the textual form of a model: the name of its type, or an
/// object.
struct AttributeBody: NamedBody, Encodable {
    var attribute: Attribute

    static let keys = [
        "type", "optional", "transient", "default", "min", "max", "regex", "remoteKey",
        "nonExportable",
        "valueTransformer", "dateFormat", "encoding", "nullValues", "asset", "renamedFrom",
        "userInfo",
    ]

    static func empty(_ name: String) -> AttributeBody? { nil }

    init(attribute: Attribute) { self.attribute = attribute }

    init(from decoder: any Decoder) throws {
        let name = decoder.codingPath.last?.stringValue ?? ""
        let short: String
        do {
            short = try decoder.singleValueContainer().decode(String.self)
        } catch is DecodingError {
            attribute = try Self.attribute(name, from: decoder)
            return
        }
        guard let type = AttributeType(rawValue: short) else {
            throw FieldReader.unknownWord(
                short,
                at: FieldReader.path(of: decoder.codingPath),
                AttributeType.self
            )
        }
        attribute = Attribute(name, type)
    }

    private static func attribute(_ name: String, from decoder: any Decoder) throws -> Attribute {
        let reader = try FieldReader(decoder, of: "an attribute", allowed: keys)
        guard let type = try reader.word("type", as: AttributeType.self) else {
            throw ModelError(
                .invalid,
                "\(reader.path) has no type.",
                hint: "Write “type:” and one of: "
                    + AttributeType.allCases.map(\.rawValue).joined(separator: ", ") + "."
            )
        }
        return Attribute(
            name,
            type,
            isOptional: try reader.flag("optional", else: true),
            isTransient: try reader.flag("transient", else: false),
            defaultValue: try defaultValue(of: type, from: reader),
            validation: Attribute.Validation(
                minimum: try bound("min", of: type, from: reader),
                maximum: try bound("max", of: type, from: reader),
                pattern: try reader.text("regex")
            ),
            remoteKey: try reader.text("remoteKey"),
            isExportable: try !reader.flag("nonExportable", else: false),
            valueTransformer: try reader.text("valueTransformer"),
            dateFormat: try reader.text("dateFormat"),
            encoding: try reader.word("encoding") ?? .json,
            nullValues: try reader.texts("nullValues"),
            isAsset: try reader.flag("asset", else: false),
            renamingIdentifier: try reader.text("renamedFrom"),
            userInfo: try reader.value("userInfo") ?? [:]
        )
    }

    /// Reads a minimum or maximum: a number, or for a date attribute also a date.
    private static func bound(
        _ name: String,
        of type: AttributeType,
        from reader: FieldReader
    ) throws -> Double? {
        guard let text = try reader.value(name, as: ScalarText.self)?.text else { return nil }
        if let number = Double(text), number.isFinite { return number }
        if type == .date, case .date(let seconds) = DefaultValue.value(of: text, as: .date) {
            return seconds
        }
        throw ModelError(
            .invalid,
            "\(reader.path).\(name) is not a bound: “\(text)”.",
            hint: type == .date ? DefaultValue.hint(for: .date) : "Write a number."
        )
    }

    private static func defaultValue(
        of type: AttributeType,
        from reader: FieldReader
    ) throws
        -> Value?
    {
        guard let text = try reader.value("default", as: ScalarText.self)?.text else { return nil }
        if let value = DefaultValue.value(of: text, as: type) { return value }
        throw ModelError(
            .invalid,
            "\(reader.path).default is not a valid \(type.rawValue): “\(text)”.",
            hint: DefaultValue.hint(for: type)
        )
    }

    func encode(to encoder: any Encoder) throws {
        guard attribute != Attribute(attribute.name, attribute.type) else {
            var container = encoder.singleValueContainer()
            return try container.encode(attribute.type)
        }
        var writer = FieldWriter(encoder)
        try writer.write(attribute.type, as: "type")
        try writer.write(attribute.isOptional, as: "optional", unless: true)
        try writer.write(attribute.isTransient, as: "transient", unless: false)
        try writer.write(ifAny: attribute.defaultValue.map(ScalarValue.init(value:)), as: "default")
        try writer.write(ifAny: attribute.validation.minimum, as: "min")
        try writer.write(ifAny: attribute.validation.maximum, as: "max")
        try writer.write(ifAny: attribute.validation.pattern, as: "regex")
        let json = attribute.json
        try writer.write(ifAny: json.remoteKey, as: "remoteKey")
        try writer.write(!json.isExportable, as: "nonExportable", unless: false)
        try writer.write(ifAny: json.valueTransformer, as: "valueTransformer")
        try writer.write(ifAny: json.dateFormat, as: "dateFormat")
        if json.encoding != .json { try writer.write(json.encoding, as: "encoding") }
        if !json.nullValues.isEmpty { try writer.write(json.nullValues, as: "nullValues") }
        try writer.write(json.isAsset, as: "asset", unless: false)
        try writer.write(ifAny: attribute.renamingIdentifier, as: "renamedFrom")
        try writer.write(userInfo: attribute.userInfo)
    }
}
