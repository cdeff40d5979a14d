public import GRDB
public import TidemarkModel

/// A struct whose values are rows of an entity.
///
/// Requests and writes of such a type are checked by the compiler. A conformance takes about ten
/// lines, and describes what it stores in ``entity``:
///
/// ```swift
/// struct Tag: EntityRecord {
///     var rowID = RowID<Tag>.unsaved
///     var name: String
///
///     static let entityName = "Tag"
///     static let entity = EntityDescription(entityName) {
///         Attribute("name", .string, isOptional: false)
///     }
///
///     struct Properties: EntityProperties {
///         typealias Record = Tag
///         let path: PropertyPath
///         init(_ path: PropertyPath) { self.path = path }
///         var name: AttributeExpression<String> { path.attribute("name") }
///     }
///
///     init(name: String) { self.name = name }
///     init(from row: EntityRow) throws { name = try row[0, "name"] }
///     func encode(to row: inout EncodedRow) throws { row.set("name", name) }
/// }
/// ```
///
/// Several types may describe the same entity: a store is opened with a model, and a type that
/// leaves out properties of its entity reads and writes the others alone. A type is compared with
/// the store's model when it is used first: an unknown property or another type throws
/// ``StoreError/Code/typeMismatch``.
public protocol EntityRecord: FetchableRecord, Sendable {
    /// The properties to which requests refer.
    associatedtype Properties: EntityProperties where Properties.Record == Self

    /// The name of the entity.
    ///
    /// It is apart from ``entity``, because relationships name each other's entities.
    static var entityName: String { get }

    /// The entity with the properties of the type, inherited ones included.
    static var entity: EntityDescription { get }

    /// The identity of the row; ``RowID/unsaved`` before it is inserted.
    var rowID: RowID<Self> { get set }

    /// Creates a record from a row.
    ///
    /// - Parameter row: The values of the properties of ``entity``: first its attributes, then its
    ///   to-one relationships, each in the order in which they are declared.
    /// - Throws: ``StoreError/Code/invalidValue`` if a value cannot be one of the property.
    init(from row: EntityRow) throws

    /// Sets the values of a row to those of the record, in the order of ``init(from:)``.
    func encode(to row: inout EncodedRow) throws
}

/// The properties of a record type, as requests refer to them.
///
/// A closure such as that of `User.filter { $0.age > 18 }` gets them. Each property is an
/// expression that begins with ``PropertyPath``.
public protocol EntityProperties: Sendable {
    /// The type whose properties these are.
    associatedtype Record: EntityRecord

    /// Creates the properties of the row at the end of a path.
    init(_ path: PropertyPath)
}

extension EntityRecord {
    /// Returns the predicate that a closure makes of the properties of a row.
    package static func predicate(
        _ condition: (Properties) -> some RecordPredicateConvertible
    ) -> RecordPredicate {
        condition(Properties(.row)).predicate
    }

    /// Returns the name of an attribute.
    package static func name<V>(
        of attribute: KeyPath<Properties, AttributeExpression<V>>
    ) -> String {
        Properties(.row)[keyPath: attribute].path.keyPath
    }

    /// Returns the name of a to-many relationship.
    package static func name<Destination>(
        of relationship: KeyPath<Properties, ToManyExpression<Self, Destination>>
    ) -> String {
        Properties(.row)[keyPath: relationship].path.keyPath
    }
}
