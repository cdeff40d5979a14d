import TidemarkModel

/// The fields (XML attributes) of one element of a model file.
struct ModelElement {
    /// The values of the fields by name.
    let fields: [String: String]

    /// The reference date of Core Data, 2001-01-01, in seconds since 1970-01-01.
    private static let referenceDate = 978_307_200.0

    subscript(name: String) -> String? { fields[name] }

    /// Returns the value of a required field.
    ///
    /// Throws an error if it is missing or empty.
    func required(_ name: String) throws -> String {
        guard let text = fields[name], !text.isEmpty else {
            throw ModelError(
                .invalid,
                "An element lacks its “\(name)”.",
                hint: "Repair the model in Xcode."
            )
        }
        return text
    }

    /// Returns whether a Boolean field is true.
    ///
    /// A missing field is false.
    func flag(_ name: String) -> Bool {
        fields[name]?.uppercased() == "YES" || fields[name]?.lowercased() == "true"
    }

    /// Returns the value of a numeric field, or nil if it is missing.
    private func number(_ name: String, of property: String) throws -> Double? {
        guard let text = fields[name] else { return nil }
        if let number = Double(text), number.isFinite { return number }
        throw ModelError(
            .invalid,
            "“\(property)”: “\(text)” is not a number for \(name).",
            hint: "Correct it in Xcode."
        )
    }

    func entity() throws -> EntityDescription {
        EntityDescription(
            try required("name"),
            parent: fields["parentEntity"],
            isAbstract: flag("isAbstract"),
            renamingIdentifier: fields["elementID"]
        )
    }

    func attribute() throws -> Attribute {
        let name = try required("name")
        // What Core Data computes is neither stored here nor sent by a service.
        let isDerived = flag("derived") || fields["derivationExpression"] != nil
        let type = try type(of: name)
        return Attribute(
            name,
            type,
            isOptional: flag("optional"),
            isTransient: flag("transient") || isDerived,
            defaultValue: try defaultValue(of: name, as: type),
            validation: try validation(name),
            valueTransformer: type == .transformable ? fields["valueTransformerName"] : nil,
            renamingIdentifier: fields["elementID"]
        )
    }

    private func type(of name: String) throws -> AttributeType {
        let text = fields["attributeType"] ?? "Undefined"
        // Xcode writes names such as `Integer 16`. Core Data has no type for JSON.
        let key = text.filter { $0 != " " }.lowercased()
        if let type = AttributeType(rawValue: key), type != .json { return type }
        switch key {
        case "binarydata": return .binary
        case "composite":
            throw ModelError(
                .invalid,
                "“\(name)” is a composite attribute, which cannot be stored.",
                hint: "Make its parts attributes of their own, with key paths as remoteKey."
            )
        // Its type is that of a property of a class.
        case "undefined" where flag("transient"): return .transformable
        default:
            throw ModelError(
                .invalid,
                "“\(name)” has the type “\(text)”, which cannot be stored.",
                hint:
                    "Give it a type in Xcode: Integer 16, Integer 32, Integer 64, Decimal, Double, "
                    + "Float, String, Boolean, Date, Binary, UUID, URI or Transformable."
            )
        }
    }

    private func defaultValue(of name: String, as type: AttributeType) throws -> Value? {
        if let seconds = try number("defaultDateTimeInterval", of: name), type == .date {
            return .date(seconds + Self.referenceDate)
        }
        guard let text = fields["defaultValueString"], type != .transformable || !flag("transient")
        else { return nil }
        if text.isEmpty, type != .string { return nil }
        if let value = DefaultValue.value(of: text, as: type) { return value }
        // Xcode keeps the text when the type is changed: 0.0 is 0 to Core Data.
        if let number = Double(text), let whole = Int64(exactly: number),
            let value = DefaultValue.value(of: "\(whole)", as: type)
        {
            return value
        }
        throw ModelError(
            .invalid,
            "The default value of “\(name)” is not a valid \(type.rawValue): “\(text)”.",
            hint: DefaultValue.hint(for: type)
        )
    }

    private func validation(_ name: String) throws -> Attribute.Validation {
        let earliest = try number("minDateTimeInterval", of: name).map { $0 + Self.referenceDate }
        let latest = try number("maxDateTimeInterval", of: name).map { $0 + Self.referenceDate }
        let pattern = fields["regularExpressionString"].flatMap { $0.isEmpty ? nil : $0 }
        return Attribute.Validation(
            minimum: try earliest ?? number("minValueString", of: name),
            maximum: try latest ?? number("maxValueString", of: name),
            pattern: pattern
        )
    }

    func relationship() throws -> Relationship {
        let name = try required("name")
        let isToMany = flag("toMany")
        return Relationship(
            name,
            to: try destination(of: name),
            isToMany: isToMany,
            isOrdered: flag("ordered"),
            isOptional: flag("optional"),
            inverse: fields["inverseName"],
            deleteRule: try deleteRule(of: name),
            minimumCount: isToMany ? try count("minCount", of: name) : nil,
            maximumCount: isToMany ? try count("maxCount", of: name) : nil,
            renamingIdentifier: fields["elementID"]
        )
    }

    private func destination(of name: String) throws -> String {
        if let destination = fields["destinationEntity"], !destination.isEmpty {
            return destination
        }
        throw ModelError(
            .invalid,
            "The relationship “\(name)” leads to no entity.",
            hint: "Choose its destination in Xcode."
        )
    }

    /// Returns a bound on the number of linked objects, or nil if it is missing or 0, which Core
    /// Data writes for an unlimited number.
    private func count(_ field: String, of name: String) throws -> Int? {
        guard let text = fields[field] else { return nil }
        guard let count = Int(text), count >= 0 else {
            throw ModelError(
                .invalid,
                "“\(name)”: “\(text)” is not a number for \(field).",
                hint: "Correct it in Xcode."
            )
        }
        return count == 0 ? nil : count
    }

    private func deleteRule(of name: String) throws -> Relationship.DeleteRule {
        switch fields["deletionRule"]?.lowercased() {
        case nil, "nullify": return .nullify
        case "cascade": return .cascade
        case "deny": return .deny
        case "no action", "noaction": return .noAction
        case let rule?:
            throw ModelError(
                .invalid,
                "The relationship “\(name)” has the unknown delete rule “\(rule)”.",
                hint: "It is one of Nullify, Cascade, Deny and No Action."
            )
        }
    }
}
