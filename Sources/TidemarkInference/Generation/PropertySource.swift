import TidemarkModel

/// A property of a struct, as Swift code.
struct PropertySource {
    /// The name in the model.
    let name: String

    /// The type in Swift, without `?`.
    let type: String

    let isOptional: Bool

    let kind: Kind

    /// The initial value, as a Swift expression.
    let initialValue: String?

    /// The arguments of the model's `Attribute` or `Relationship` after the name, and the type or
    /// destination.
    let modelArguments: [SwiftArgument]

    enum Kind {
        case attribute(Attribute)
        case relationship(isToMany: Bool)
    }

    init(_ attribute: Attribute) {
        name = attribute.name
        kind = .attribute(attribute)
        isOptional = attribute.isOptional
        type = attribute.type.swiftType
        initialValue = attribute.initialValue
        modelArguments = attribute.modelArguments
    }

    init(_ relationship: Relationship, to destination: String) {
        name = relationship.name
        kind = .relationship(isToMany: relationship.isToMany)
        isOptional = false
        type = "\(relationship.isToMany ? "Many" : "One")<\(destination)>"
        initialValue = nil
        modelArguments = relationship.modelArguments
    }

    var identifier: String { SwiftText.identifier(name) }

    /// The type with `?` if it is optional.
    var declaredType: String { isOptional ? "\(type)?" : type }

    var isOfFoundation: Bool { ["Data", "Date", "Decimal", "URL", "UUID"].contains(type) }

    /// The record type of a relationship.
    var destination: String { String(type.drop { $0 != "<" }.dropFirst().dropLast()) }

    /// The default of its parameter in an initializer; nil if it must be passed.
    var parameterDefault: String? {
        switch kind {
        case .attribute where initialValue == nil: isOptional ? "nil" : nil
        case .attribute: initialValue
        case .relationship(let isToMany): isToMany ? ".unloaded" : "nil"
        }
    }

    /// Whether a row contains it.
    var isColumn: Bool {
        switch kind {
        case .attribute(let attribute): !attribute.isTransient
        case .relationship(let isToMany): !isToMany
        }
    }
}

extension AttributeType {
    /// The type in Swift.
    fileprivate var swiftType: String {
        switch self {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable: "Value"
        case .json: "JSONText"
        }
    }

    /// A value of the type, for a transient property without a default.
    fileprivate var placeholder: String {
        switch self {
        case .integer16, .integer32, .integer64, .decimal: "0"
        case .double, .float: "0.0"
        case .string: "\"\""
        case .boolean: "false"
        case .date: "Date(timeIntervalSince1970: 0.0)"
        case .binary: "Data()"
        case .uuid: "UUID()"
        case .uri: "URL(fileURLWithPath: \"/\")"
        case .transformable: ".null"
        case .json: "\"null\""
        }
    }
}

extension Attribute {
    /// The arguments of the initializer after the type, without those that have their default.
    fileprivate var modelArguments: [SwiftArgument] {
        var arguments: [SwiftArgument] = []
        func add(_ label: String, _ expression: String?) {
            if let expression { arguments.append(SwiftArgument(label, expression)) }
        }
        add("isOptional", isOptional ? nil : "false")
        add("isTransient", isTransient ? "true" : nil)
        add("defaultValue", defaultValue.map { SwiftText.literal($0) })
        add("validation", validation.swiftText)
        add("remoteKey", json.remoteKey.map { SwiftText.literal($0) })
        add("isExportable", json.isExportable ? nil : "false")
        add("valueTransformer", json.valueTransformer.map { SwiftText.literal($0) })
        add("dateFormat", json.dateFormat.map { SwiftText.literal($0) })
        add("encoding", json.encoding == .json ? nil : ".\(json.encoding.rawValue)")
        add("nullValues", json.nullValues.isEmpty ? nil : SwiftText.literal(json.nullValues))
        add("isAsset", json.isAsset ? "true" : nil)
        add("renamingIdentifier", renamingIdentifier.map { SwiftText.literal($0) })
        add("userInfo", userInfo.isEmpty ? nil : SwiftText.literal(userInfo))
        return arguments
    }

    /// The default as a Swift expression of the property's type.
    ///
    /// A property of no row needs a value in each record that is read.
    fileprivate var initialValue: String? {
        let value: String? =
            switch defaultValue {
            case .integer(let number): "\(number)"
            case .double(let number): number.isFinite ? "\(number)" : nil
            case .boolean(let flag): "\(flag)"
            case .string(let text), .json(let text): SwiftText.literal(text)
            case .date(let seconds): "Date(timeIntervalSince1970: \(seconds))"
            case .binary(let bytes): "Data(\(bytes))"
            case .decimal, .uuid, .uri, .null, nil: nil
            }
        return value ?? (isTransient && !isOptional ? type.placeholder : nil)
    }
}

extension Attribute.Validation {
    fileprivate var swiftText: String? {
        let limits = [
            minimum.map { SwiftArgument("minimum", SwiftText.literal($0)) },
            maximum.map { SwiftArgument("maximum", SwiftText.literal($0)) },
            pattern.map { SwiftArgument("pattern", SwiftText.literal($0)) },
        ]
        let arguments = limits.compactMap(\.self).map(\.text).joined(separator: ", ")
        return isEmpty ? nil : ".init(\(arguments))"
    }
}

extension Relationship {
    /// The arguments of the initializer after the destination, without those that have their
    /// default.
    fileprivate var modelArguments: [SwiftArgument] {
        var arguments: [SwiftArgument] = []
        func add(_ label: String, _ expression: String?) {
            if let expression { arguments.append(SwiftArgument(label, expression)) }
        }
        add("isToMany", isToMany ? "true" : nil)
        add("isOrdered", isOrdered ? "true" : nil)
        add("isOptional", isOptional ? nil : "false")
        add("inverse", inverse.map { SwiftText.literal($0) })
        add("deleteRule", deleteRule == .nullify ? nil : ".\(deleteRule.rawValue)")
        add("minimumCount", cardinality.minimum.map(String.init))
        add("maximumCount", cardinality.maximum.map(String.init))
        add("remoteKey", json.remoteKey.map { SwiftText.literal($0) })
        add(
            "referenceKeys",
            json.referenceKeys.isEmpty ? nil : SwiftText.literal(json.referenceKeys)
        )
        add("nullValues", json.nullValues.isEmpty ? nil : SwiftText.literal(json.nullValues))
        add("orphans", orphans == .delete ? nil : ".\(orphans.rawValue)")
        add("push", json.push.map { ".\($0.rawValue)" })
        add("isExportable", json.isExportable ? nil : "false")
        add("renamingIdentifier", renamingIdentifier.map { SwiftText.literal($0) })
        add("userInfo", userInfo.isEmpty ? nil : SwiftText.literal(userInfo))
        return arguments
    }
}
