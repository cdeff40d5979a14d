/// The textual form of a model: an object of entities by name, as YAML and JSON files have it.
///
/// A model that is encoded and decoded again is the same model: what goes without saying is left
/// out, and where the declared order is not the alphabetical one, it is written down under `order`.
extension Model: Codable {
    /// Set this to true in a decoder's `userInfo` when its containers list their keys in the order
    /// of the text, as YAML decoders do: the model then has its entities and properties in that
    /// order.
    public static let keyOrder = CodingUserInfoKey(rawValue: "tidemark.keyOrder")

    /// Reads a model.
    ///
    /// - Throws: ``ModelError`` with the place of what is unknown, missing or of the wrong kind; a
    ///   `DecodingError` where the decoder itself fails; see ``decoding(_:)``.
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

    /// Writes the model.
    public func encode(to encoder: any Encoder) throws {
        var writer = FieldWriter(encoder)
        try writer.write("entities", bodies: entities.map { ($0.name, EntityBody(entity: $0)) })
        if entities.isEmpty { try writer.write("entities", [String: String]()) }
        let names = entities.map(\.name)
        if names != names.sorted() { try writer.write("order", texts: names) }
    }

    /// Runs a decoder, and turns whatever it throws into a ``ModelError`` that people can read.
    ///
    /// ```swift
    /// let model = try Model.decoding { try YAMLDecoder().decode(Model.self, from: text) }
    /// ```
    ///
    /// - Throws: ``ModelError``.
    public static func decoding(_ body: () throws -> Model) throws -> Model {
        do {
            return try naming(body)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(.unreadable, "The model cannot be read: \(error).")
        }
    }

    /// Turns the failures of a decoder into sentences that name the place.
    private static func naming(_ body: () throws -> Model) throws -> Model {
        do {
            return try body()
        } catch let error as DecodingError {
            throw ModelError(error)
        }
    }
}

extension ModelError {
    /// Tells in a sentence what a decoder could not make of a text.
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            let found = ModelError.expected(type)
            self.init(.invalid, "\(FieldReader.place(context.codingPath)) is not \(found).")
        case .valueNotFound(let type, let context):
            let missing = ModelError.expected(type)
            self.init(.invalid, "\(FieldReader.place(context.codingPath)) must be \(missing).")
        case .keyNotFound(let key, let context):
            let place = FieldReader.place(context.codingPath)
            self.init(.invalid, "\(place) has no “\(key.stringValue)”.")
        case .dataCorrupted(let context):
            if let cause = context.underlyingError as? ModelError {
                self = cause
            } else {
                let cause = context.underlyingError.map { "\($0)" } ?? context.debugDescription
                self.init(
                    .unreadable,
                    "\(FieldReader.place(context.codingPath)) cannot be read: \(cause)"
                )
            }
        @unknown default:
            self.init(.unreadable, "The model cannot be read: \(error)")
        }
    }

    /// What is expected where a decoder asks for a container of its own.
    private static func shape(of type: String) -> String {
        if type.contains("Array") || type.contains("Sequence") { return "a list" }
        if type.contains("Dictionary") || type.contains("Mapping") { return "an object with keys" }
        return "a single value"
    }

    /// What a value of the type is called.
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
    /// The elements in the order of their names in a list; the others follow as they were.
    func ordered(by names: [String], _ name: KeyPath<Element, String>) -> [Element] {
        guard !names.isEmpty else { return self }
        var places: [String: Int] = [:]
        for (place, name) in names.enumerated() where places[name] == nil { places[name] = place }
        let known = filter { places[$0[keyPath: name]] != nil }
        let others = filter { places[$0[keyPath: name]] == nil }
        return known.sorted {
            places[$0[keyPath: name], default: 0] < places[$1[keyPath: name], default: 0]
        }
            + others
    }
}
