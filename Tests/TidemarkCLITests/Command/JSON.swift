import Foundation

/// A JSON value, for comparison with the output of a command.
enum JSON: Hashable, Sendable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = Self.decoded(Bool.self, container) {
            self = .bool(value)
        } else if let value = Self.decoded(Double.self, container) {
            self = .number(value)
        } else if let value = Self.decoded(String.self, container) {
            self = .string(value)
        } else if let value = Self.decoded([JSON].self, container) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type,
        _ container: any SingleValueDecodingContainer
    ) -> Value? {
        guard case .success(let value) = Result(catching: { try container.decode(type) }) else {
            return nil
        }
        return value
    }

    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The names of an object's members, sorted.
    var keys: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
