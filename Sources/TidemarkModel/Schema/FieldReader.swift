/// Reads the fields of one object in the textual form of a model.
///
/// Each error contains the path of the field.
package struct FieldReader {
    private let fields: KeyedDecodingContainer<FieldName>
    private let keepsOrder: Bool

    /// Opens an object whose keys are user-defined names.
    init(_ decoder: any Decoder) throws {
        fields = try decoder.container(keyedBy: FieldName.self)
        keepsOrder = Model.keyOrder.map { decoder.userInfo[$0] as? Bool == true } ?? false
    }

    /// Opens an object that may contain only the given keys.
    init(_ decoder: any Decoder, of kind: String, allowed: [String]) throws {
        try self.init(decoder)
        guard let unknown = names.first(where: { !allowed.contains($0) }) else { return }
        throw ModelError(
            .invalid,
            "\(path): \(kind) has no key “\(unknown)”.",
            hint: "It may have: \(allowed.joined(separator: ", "))."
        )
    }

    /// The path of the object, such as `entities.User`.
    var path: String { Self.path(of: fields.codingPath) }

    /// The keys in the order of the text if the decoder preserves it, otherwise in alphabetical
    /// order.
    var names: [String] {
        let names = fields.allKeys.map(\.stringValue)
        return keepsOrder ? names : names.sorted()
    }

    /// Returns whether the key is missing or its value is null.
    func isEmpty(_ name: String) throws -> Bool {
        try !fields.contains(FieldName(name)) || fields.decodeNil(forKey: FieldName(name))
    }

    /// Returns the value of a key, or nil if it is missing or null.
    func value<Body: Decodable>(_ name: String, as body: Body.Type = Body.self) throws -> Body? {
        guard try !isEmpty(name) else { return nil }
        do {
            return try fields.decode(body, forKey: FieldName(name))
        } catch let error as ModelError {
            throw error
        } catch let error as DecodingError {
            throw error
        } catch {
            // Decoders report a number that does not fit the type with an undocumented error type.
            throw ModelError(.invalid, "\(path).\(name) is not \(ModelError.expected(body)).")
        }
    }

    /// Returns the string of a key, or nil if it is missing.
    ///
    /// Throws an error if it is empty.
    func text(_ name: String) throws -> String? {
        let text = try value(name, as: String.self)
        guard text?.isEmpty == true else { return text }
        throw ModelError(
            .invalid,
            "\(path).\(name) is empty.",
            hint: "Give it a value or leave it out."
        )
    }

    /// Returns the Boolean of a key, or the fallback if it is missing.
    func flag(_ name: String, else fallback: Bool) throws -> Bool {
        try value(name) ?? fallback
    }

    /// Returns the strings of a key, which may contain a single string or a list.
    func texts(_ name: String) throws -> [String] {
        try value(name, as: OneOrMore.self)?.texts ?? []
    }

    /// Returns the case of an enumeration that the key contains, or nil if it is missing.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        as words: Word.Type = Word.self
    ) throws -> Word? where Word.RawValue == String {
        guard let text = try value(name, as: String.self) else { return nil }
        if let word = Word(rawValue: text) { return word }
        throw Self.unknownWord(text, at: "\(path).\(name)", words)
    }

    /// Returns the values of all keys of a nested object.
    func bodies<Body: NamedBody>(_ name: String, as body: Body.Type) throws -> [Body] {
        try value(name, as: NamedBodies<Body>.self)?.bodies ?? []
    }

    package static func unknownWord<Word: RawRepresentable & CaseIterable>(
        _ text: String,
        at path: String,
        _ words: Word.Type
    ) -> ModelError where Word.RawValue == String {
        let all = words.allCases.map(\.rawValue).joined(separator: ", ")
        return ModelError(.invalid, "\(path) cannot be “\(text)”.", hint: "It is one of: \(all).")
    }

    static func path(of keys: [any CodingKey]) -> String {
        let path = keys.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return path.isEmpty ? "the model" : path
    }
}

/// A value whose name is its key.
protocol NamedBody: Decodable {
    /// Returns what a key without a value represents, or nil if a value is required.
    static func empty(_ name: String) -> Self?
}

/// An object whose keys are the names of its values.
struct NamedBodies<Body: NamedBody>: Decodable {
    let bodies: [Body]

    init(from decoder: any Decoder) throws {
        let reader = try FieldReader(decoder)
        bodies = try reader.names.map { name in
            if try reader.isEmpty(name), let body = Body.empty(name) { return body }
            if let body = try reader.value(name, as: Body.self) { return body }
            throw ModelError(
                .invalid,
                "\(reader.path).\(name) says nothing.",
                hint: "Give it a type, or remove it."
            )
        }
    }
}

/// A string or a list of strings.
package struct OneOrMore: Codable {
    var texts: [String]

    package init(_ texts: [String]) { self.texts = texts }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            texts = [try container.decode(String.self)]
        } catch is DecodingError {
            texts = try container.decode([String].self)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if texts.count == 1 {
            try container.encode(texts[0])
        } else {
            try container.encode(texts)
        }
    }
}
