public import Foundation
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
/// that were changed. For the same reason, assigning the default to such a property changes
/// nothing; ``BatchUpdate`` writes it.
public struct EntityRow {
    /// The statement whose row it is; nil for a row of GRDB.
    private let statement: RowStatement?

    /// SQLite's statement: reading a column does not count references to the object.
    private let handle: OpaquePointer?

    private let row: Row?
    private let names: PropertyNames

    /// The row number is in the first column.
    private static let first = 1

    init(_ statement: RowStatement, _ names: PropertyNames) {
        self.statement = statement
        handle = statement.handle
        row = nil
        self.names = names
    }

    init(_ row: Row, _ names: PropertyNames) {
        statement = nil
        handle = nil
        self.row = row
        self.names = names
    }

    /// The number of the row; 0 if a row of GRDB has none.
    var number: Int64 {
        if let statement { return statement.integer(at: 0) }
        guard let row, row.hasColumn("_id") else { return 0 }
        let number: Int64? = row["_id"]
        return number ?? 0
    }

    /// Returns the value of a required attribute.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    /// - Returns: The value.
    /// - Throws: ``StoreError/Code/invalidValue`` if it is null, or no value of the type.
    @inlinable
    public subscript<V: AttributeValue>(_ index: Int, _ name: StaticString) -> V {
        get throws {
            guard let value: V = self[index, name] else {
                throw invalidValue(at: index, for: V.self)
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
    @inlinable
    public subscript<V: AttributeValue>(_ index: Int, _ name: StaticString) -> V? {
        // Inlined into the initializer of a record, which knows the type: the compiler then makes
        // the comparisons. A call of generic code costs more than reading the value.
        func own<T>(_ value: T?) -> V? { unsafeBitCast(value, to: V?.self) }
        if V.self == Int.self { return own(integer(index, name).map { Int($0) }) }
        if V.self == Int64.self { return own(integer(index, name)) }
        if V.self == Bool.self { return own(boolean(index, name)) }
        if V.self == String.self { return own(string(index, name)) }
        if V.self == Double.self { return own(number(index, name)) }
        if V.self == Date.self { return own(date(index, name)) }
        return converted(index, name)
    }

    /// Returns the value of an attribute; the default if it is null, or no value of the type.
    ///
    /// - Parameters:
    ///   - index: The position of the attribute in the entity.
    ///   - name: Its name.
    ///   - defaultValue: The default.
    /// - Returns: The value.
    @inlinable
    public subscript<V: AttributeValue>(
        _ index: Int,
        _ name: StaticString,
        default defaultValue: @autoclosure () -> V
    ) -> V {
        self[index, name] ?? defaultValue()
    }

    /// Returns the content of a JSON attribute; nil if it is null, or does not decode.
    ///
    /// It is decoded by `JSONDecoder` with its defaults.
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
    @inlinable
    public func one<Destination: EntityRecord>(
        _ index: Int,
        _ name: StaticString
    ) -> One<Destination> {
        guard let number = integer(index, name) else { return nil }
        return One(RowID(number))
    }
}

extension EntityRow {
    @usableFromInline
    func integer(_ index: Int, _ name: StaticString) -> Int64? {
        switch stored(index, name) {
        case .integer(let number): number
        case .null: nil
        default: converted(index, name)
        }
    }

    @usableFromInline
    func boolean(_ index: Int, _ name: StaticString) -> Bool? {
        switch stored(index, name) {
        case .integer(let number): number != 0
        case .null: nil
        default: converted(index, name)
        }
    }

    @usableFromInline
    func number(_ index: Int, _ name: StaticString) -> Double? {
        switch stored(index, name) {
        case .real(let number): number
        case .null: nil
        default: converted(index, name)
        }
    }

    @usableFromInline
    func date(_ index: Int, _ name: StaticString) -> Date? {
        switch stored(index, name) {
        case .real(let seconds): Date(timeIntervalSince1970: seconds)
        case .null: nil
        default: converted(index, name)
        }
    }

    @usableFromInline
    func string(_ index: Int, _ name: StaticString) -> String? {
        switch stored(index, name) {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null: nil
        default: converted(index, name)
        }
    }

    /// Returns the value in a column of a statement; nil if the row is one of GRDB, or the property
    /// has another name.
    private func stored(_ index: Int, _ name: StaticString) -> StoredValue? {
        guard let handle, names.isProperty(name, at: index) else { return nil }
        return StoredValue(handle, column: Self.first + index)
    }

    /// Returns the value of an attribute of any type; nil if it is null, or no value of the type.
    @usableFromInline
    func converted<V: AttributeValue>(_ index: Int, _ name: StaticString) -> V? {
        guard names.isProperty(name, at: index) else { return nil }
        guard let row else {
            return stored(index, name).flatMap {
                V(attributeValue: Value($0, type: V.attributeType))
            }
        }
        // By name: the columns of SQL that an app has written are in any order.
        guard let value = row[name.description] as DatabaseValue? else {
            names.fail(lacking: name)
            return nil
        }
        return V(attributeValue: Value(value, type: V.attributeType))
    }

    @usableFromInline
    func invalidValue(at index: Int, for type: Any.Type) -> StoreError {
        names.invalidValue(at: index, of: number, for: type)
    }
}

extension EntityRecord {
    /// Returns the record of the current row of a statement, which selects the row number and the
    /// columns of the type.
    ///
    /// A function and not an initializer: code that is compiled without knowing the type would copy
    /// the record.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - names: The names of the columns, which all rows of the statement share.
    /// - Returns: The record.
    /// - Throws: ``StoreError/Code/typeMismatch``, ``StoreError/Code/invalidValue``.
    static func read(_ statement: RowStatement, names: PropertyNames) throws -> Self {
        var record = try Self(from: EntityRow(statement, names))
        try names.check()
        record.rowID = RowID(statement.integer(at: 0))
        return record
    }
}
