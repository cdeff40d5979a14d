/// The fields of one object of a model's textual form; every failure names the place.
struct FieldReader {
    private let fields: KeyedDecodingContainer<FieldName>
    private let keepsOrder: Bool

    /// Opens an object whose keys are names of the user's choice.
    init(_ decoder: any Decoder) throws {
        fields = try decoder.container(keyedBy: FieldName.self)
        keepsOrder = Model.keyOrder.map { decoder.userInfo[$0] as? Bool == true } ?? false
    }

    /// Opens an object that may have only the given keys.
    init(_ decoder: any Decoder, of kind: String, allowed: [String]) throws {
        try self.init(decoder)
        guard let unknown = names.first(where: { !allowed.contains($0) }) else { return }
        throw ModelError(
            .invalid,
            "\(place): \(kind) has no key “\(unknown)”.",
            hint: "It may have: \(allowed.joined(separator: ", "))."
        )
    }

    /// Where the object stands, such as `entities.User`.
    var place: String { Self.place(fields.codingPath) }

    /// The keys in the order of the text, where the decoder keeps it, else by name.
    var names: [String] {
        let names = fields.allKeys.map(\.stringValue)
        return keepsOrder ? names : names.sorted()
    }

    /// Whether nothing stands behind the key.
    func isEmpty(_ name: String) throws -> Bool {
        try !fields.contains(FieldName(name)) || fields.decodeNil(forKey: FieldName(name))
    }

    /// What stands behind the key, if anything does.
    func value<Body: Decodable>(_ name: String, as body: Body.Type = Body.self) throws -> Body? {
        guard try !isEmpty(name) else { return nil }
        do {
            return try fields.decode(body, forKey: FieldName(name))
        } catch let error as ModelError {
            throw error
        } catch let error as DecodingError {
            throw error
        } catch {
            // A number that does not fit the type reaches us in no form that a decoder documents.
            throw ModelError(.invalid, "\(place).\(name) is not \(ModelError.expected(body)).")
        }
    }

    /// A text that must not be empty.
    func text(_ name: String) throws -> String? {
        let text = try value(name, as: String.self)
        guard text?.isEmpty == true else { return text }
        throw ModelError(
            .invalid,
            "\(place).\(name) is empty.",
            hint: "Give it a value or leave it out."
        )
    }

    /// A flag, or what holds when it is absent.
    func flag(_ name: String, else fallback: Bool) throws -> Bool {
        try value(name) ?? fallback
    }

    /// One text or a list of texts.
    func texts(_ name: String) throws -> [String] {
        try value(name, as: OneOrMore.self)?.texts ?? []
    }

    /// One of the words that an enumeration has.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        as words: Word.Type = Word.self
    ) throws -> Word? where Word.RawValue == String {
        guard let text = try value(name, as: String.self) else { return nil }
        if let word = Word(rawValue: text) { return word }
        throw Self.unknownWord(text, at: "\(place).\(name)", words)
    }

    /// The bodies behind every key of an object of objects.
    func bodies<Body: NamedBody>(_ name: String, as body: Body.Type) throws -> [Body] {
        try value(name, as: NamedBodies<Body>.self)?.bodies ?? []
    }

    static func unknownWord<Word: RawRepresentable & CaseIterable>(
        _ text: String,
        at place: String,
        _ words: Word.Type
    ) -> ModelError where Word.RawValue == String {
        let all = words.allCases.map(\.rawValue).joined(separator: ", ")
        return ModelError(.invalid, "\(place) cannot be “\(text)”.", hint: "It is one of: \(all).")
    }

    static func place(_ path: [any CodingKey]) -> String {
        let place = path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return place.isEmpty ? "the model" : place
    }
}

/// Something that is named by the key it stands behind.
protocol NamedBody: Decodable {
    /// What the body of an object that is left out stands for; nil when it must not be.
    static func empty(_ name: String) -> Self?
}

/// An object whose keys are the names of its bodies.
struct NamedBodies<Body: NamedBody>: Decodable {
    let bodies: [Body]

    init(from decoder: any Decoder) throws {
        let reader = try FieldReader(decoder)
        bodies = try reader.names.map { name in
            if try reader.isEmpty(name), let body = Body.empty(name) { return body }
            if let body = try reader.value(name, as: Body.self) { return body }
            throw ModelError(
                .invalid,
                "\(reader.place).\(name) says nothing.",
                hint: "Give it a type, or remove it."
            )
        }
    }
}

/// A text or a list of texts.
struct OneOrMore: Codable {
    var texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            texts = [try container.decode(String.self)]
        } catch is DecodingError {
            texts = try container.decode([String].self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if texts.count == 1 {
            try container.encode(texts[0])
        } else {
            try container.encode(texts)
        }
    }
}
