/// The textual form of a model: an object of entities by name, for example in a YAML or JSON file.
///
/// Decoding an encoded model yields an equal model. Default values are omitted. If the order of
/// declaration is not alphabetical, it is written under the key `order`.
extension Model: Codable {
    /// The key of an option in a decoder's `userInfo`.
    ///
    /// Set it to true if the decoder's containers list their keys in the order of the text, as
    /// those of YAML decoders do. The entities and properties of the model then have that order.
    /// Otherwise they are in alphabetical order, unless the text specifies another.
    package static let keyOrder = CodingUserInfoKey(rawValue: "tidemark.keyOrder")

    /// Decodes a model from its textual form.
    ///
    /// Every key is checked, so that a misspelled one is reported instead of ignored. Entities and
    /// properties are in alphabetical order, unless the text specifies an `order`.
    ///
    /// ```swift
    /// let text = #"""
    ///     {"entities": {"User": {"attributes": {"id": "integer64", "name": "string"}}}}
    ///     """#
    /// let model = try JSONDecoder().decode(Model.self, from: Data(text.utf8))
    /// print(model.entities[0].attributes.map(\.name))   // ["id", "name"]
    /// ```
    ///
    /// - Parameter decoder: The decoder of a JSON or YAML text.
    /// - Throws: ``ModelError`` with the path of a key or value that is unknown, missing or of the
    ///   wrong type. `DecodingError` if the decoder itself fails, for example because the text is
    ///   not valid JSON.
    public init(from decoder: any Decoder) throws {
        self = try Self.naming {
            let reader = try FieldReader(decoder, of: "a model", allowed: ["entities", "order"])
            guard try !reader.isEmpty("entities") else {
                throw ModelError(
                    .invalid,
                    "The model has no entities.",
                    hint: "List them under “entities:”."
                )
            }
            let bodies = try reader.bodies("entities", as: EntityBody.self)
            let order = try reader.texts("order")
            return Model(entities: bodies.map(\.entity).ordered(by: order, \.name))
        }
    }

    /// Encodes the model in the form that can be decoded, without default values.
    ///
    /// Sort the keys to get a text that is suitable for version control:
    ///
    /// ```swift
    /// let encoder = JSONEncoder()
    /// encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    /// try encoder.encode(model).write(to: url)
    /// ```
    ///
    /// - Parameter encoder: The encoder of a JSON or YAML text.
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write(bodies: entities.map { ($0.name, EntityBody(entity: $0)) }, as: "entities")
        if entities.isEmpty { try writer.write([String: String](), as: "entities") }
        let names = entities.map(\.name)
        if names != names.sorted() { try writer.write(texts: names, as: "order") }
    }

    /// Runs a decoder and converts any error that it throws into a readable ``ModelError``.
    ///
    /// - Throws: ``ModelError``.
    package static func decoding(_ body: () throws -> Model) throws -> Model {
        do {
            return try naming(body)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(.unreadable, "The model cannot be read: \(error).")
        }
    }

    /// Converts the errors of a decoder into model errors that contain the path.
    private static func naming(_ body: () throws -> Model) throws -> Model {
        do {
            return try body()
        } catch let error as DecodingError {
            throw ModelError(error)
        }
    }
}

extension ModelError {
    /// Creates a model error from the error of a decoder.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            let found = ModelError.expected(type)
            self.init(.invalid, "\(FieldReader.path(of: context.codingPath)) is not \(found).")
        case .valueNotFound(let type, let context):
            let missing = ModelError.expected(type)
            self.init(.invalid, "\(FieldReader.path(of: context.codingPath)) must be \(missing).")
        case .keyNotFound(let key, let context):
            let path = FieldReader.path(of: context.codingPath)
            self.init(.invalid, "\(path) has no “\(key.stringValue)”.")
        case .dataCorrupted(let context):
            // Some decoders wrap every error that `init(from:)` throws.
            if let cause = context.underlyingError as? ModelError {
                self = cause
            } else {
                let cause = context.underlyingError.map { "\($0)" } ?? context.debugDescription
                self.init(
                    .unreadable,
                    "\(FieldReader.path(of: context.codingPath)) cannot be read: \(cause)"
                )
            }
        @unknown default:
            self.init(.unreadable, "The model cannot be read: \(error)")
        }
    }

    /// Returns a description of the container that a decoder expected.
    private static func shape(of type: String) -> String {
        if type.contains("Array") || type.contains("Sequence") { return "a list" }
        if type.contains("Dictionary") || type.contains("Mapping") { return "an object with keys" }
        return "a single value"
    }

    /// Returns a description of a value of the type, for messages.
    static func expected(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [String].Type: "a text or a list of texts"
        default: shape(of: "\(type)")
        }
    }
}

extension Array {
    /// Returns the elements in the order of their names in a list.
    ///
    /// Those that are not in the list follow in their previous order.
    func ordered(by names: [String], _ name: KeyPath<Element, String>) -> [Element] {
        guard !names.isEmpty else { return self }
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() where indices[name] == nil { indices[name] = index }
        let known = filter { indices[$0[keyPath: name]] != nil }
        let others = filter { indices[$0[keyPath: name]] == nil }
        return known.sorted {
            indices[$0[keyPath: name], default: 0] < indices[$1[keyPath: name], default: 0]
        }
            + others
    }
}
