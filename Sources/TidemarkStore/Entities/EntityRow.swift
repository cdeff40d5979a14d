import Foundation
import GRDB
public import TidemarkModel

/// The values of a row, from which a record is created.
///
/// ``EntityRecord/init(from:)`` reads one value for each property, by its position in
/// ``EntityRecord/entity`` and its name:
///
/// ```swift
/// struct Tag {
///     var name: String
///     var count: Int
///     var owner: One<User>
///
///     init(from row: EntityRow) throws {
///         name = try row[0, "name"]
///         count = row[1, "count", default: 0]
///         owner = row.one(2, "owner")
///     }
/// }
/// ```
///
/// The position makes reading fast. The name is compared with that of the entity's property once,
/// and fetching throws ``StoreError/Code/typeMismatch`` if they differ.
///
/// A service may send a value that a property cannot have, such as a case that an enumeration
/// lacks. A property with a default gets that then, and an optional one nil: such a value does not
/// prevent a list from being shown, and is not written back, because writes change only properties
/// that were changed.
public struct EntityRow {
    private let source: Source
    private let names: PropertyNames

    private enum Source {
        case statement(RowStatement)
        case row(Row)
    }

    /// The row number is in the first column.
    private static let first = 1

    init(_ statement: RowStatement, _ names: PropertyNames) {
        source = .statement(statement)
        self.names = names
    }

    init(_ row: Row, _ names: PropertyNames) {
        source = .row(row)
        self.names = names
    }

    /// The number of the row.
    var number: Int64 {
        switch source {
        case .statement(let statement): statement.integer(at: 0)
        case .row(let row): row["_id"] ?? 0
        }
    }

    /// Returns the value of a required attribute.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    /// - Returns: The value.
    /// - Throws: ``StoreError/Code/invalidValue`` if it is null, or no value of the type.
    public subscript<V: AttributeValue>(_ index: Int, _ name: StaticString) -> V {
        get throws {
            guard let value: V = self[index, name] else {
                throw names.invalidValue(at: index, of: number, for: V.self)
            }
            return value
        }
    }

    /// Returns the value of an attribute; nil if it is null, or no value of the type.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    /// - Returns: The value.
    public subscript<V: AttributeValue>(_ index: Int, _ name: StaticString) -> V? {
        guard names.isProperty(name, at: index) else { return nil }
        switch source {
        case .statement(let statement): return V(statement.value(at: Self.first + index))
        case .row(let row):
            // By name: the columns of SQL that an app has written are in any order.
            guard let value = row[name.description] as DatabaseValue? else {
                names.fail(lacking: name)
                return nil
            }
            return V(value)
        }
    }

    /// Returns the value of an attribute; the default if it is null, or no value of the type.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    ///   - defaultValue: The default.
    /// - Returns: The value.
    public subscript<V: AttributeValue>(
        _ index: Int,
        _ name: StaticString,
        default defaultValue: @autoclosure () -> V
    ) -> V {
        self[index, name] ?? defaultValue()
    }

    /// Returns the content of a JSON attribute; nil if it is null, or does not decode.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    ///   - type: The type to decode.
    /// - Returns: The content.
    public func document<Content: Decodable>(
        _ index: Int,
        _ name: StaticString,
        as type: Content.Type = Content.self
    ) -> Content? {
        let text: String? = self[index, name]
        do {
            return try text.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
        } catch {
            // As with other values that the property cannot have: see the type.
            return nil
        }
    }

    /// Returns the content of a required JSON attribute.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    ///   - type: The type to decode.
    /// - Returns: The content.
    /// - Throws: ``StoreError/Code/invalidValue`` if it is null, or does not decode.
    public func document<Content: Decodable>(
        required index: Int,
        _ name: StaticString,
        as type: Content.Type = Content.self
    ) throws -> Content {
        guard let content = document(index, name, as: type) else {
            throw names.invalidValue(at: index, of: number, for: type)
        }
        return content
    }

    /// Returns the link of a to-one relationship.
    ///
    /// - Parameters:
    ///   - index: The position of the relationship: to-one relationships follow the attributes.
    ///   - name: Its name.
    /// - Returns: The link, whose record is loaded if the request includes it.
    public func one<Destination: EntityRecord>(
        _ index: Int,
        _ name: StaticString
    ) -> One<Destination> {
        guard let number: Int64 = self[index, name] else { return nil }
        return One(RowID(number))
    }
}

extension AttributeValue {
    /// Creates a value from a stored one; nil if it is null, or none of the type.
    ///
    /// The usual types are read without a `Value` in between. In code that is not specialized, a
    /// comparison of types is faster than a conversion.
    fileprivate init?(_ stored: StoredValue) {
        func own<T>(_ value: T) -> Self { unsafeBitCast(value, to: Self.self) }
        switch stored {
        case .integer(let number):
            if Self.self == Int.self {
                self = own(Int(number))
            } else if Self.self == Int64.self {
                self = own(number)
            } else if Self.self == Bool.self {
                self = own(number != 0)
            } else {
                self.init(attributeValue: Value(stored, type: Self.attributeType))
            }
        case .text(let bytes):
            if Self.self == String.self {
                self = own(String(decoding: bytes, as: UTF8.self))
            } else {
                self.init(attributeValue: Value(stored, type: Self.attributeType))
            }
        case .real(let number):
            if Self.self == Double.self {
                self = own(number)
            } else if Self.self == Date.self {
                self = own(Date(timeIntervalSince1970: number))
            } else {
                self.init(attributeValue: Value(stored, type: Self.attributeType))
            }
        case .blob(let bytes):
            if Self.self == Data.self {
                self = own(Data(bytes))
            } else {
                self.init(attributeValue: Value(stored, type: Self.attributeType))
            }
        case .null: return nil
        }
    }

    fileprivate init?(_ value: DatabaseValue) {
        self.init(attributeValue: Value(value, type: Self.attributeType))
    }
}
