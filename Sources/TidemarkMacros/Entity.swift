#if Macros

/// Makes a struct a record type: its stored properties are attributes and relationships of an
/// entity.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     var name: String
///     var bornAt: Date?
///     var age = 0
///     @Relationship(inverse: "user") var notes: Many<Note>
/// }
/// @Entity struct Note {
///     var remoteID: Int?
///     var text: String
///     @Relationship(inverse: "notes") var user: One<User>
/// }
/// ```
///
/// The macro adds what `EntityRecord` requires: `rowID`, the expressions for requests, the entity,
/// reading and writing. All of it can also be written by hand. A struct that declares no
/// initializer gets one with a parameter for each property.
///
/// The struct conforms to `Identifiable`: by its property `id` or, without one, by an `id` that is
/// its `RowID`. An optional `id` identifies nothing before the service assigns a key, so that the
/// struct does not conform then.
///
/// What the macro adds is nonisolated, so that a module may have the main actor as its default
/// isolation. The type of a ``JSON()`` property must be declared `nonisolated` there, because its
/// `Codable` conformance is used on other threads.
///
/// - A property of a type that is an `AttributeValue`, such as `String`, `Int`, `Date` or an
///   enumeration that conforms to it, is an attribute of the type's `attributeType`. It may be null
///   if the property is optional. A literal or a case as initial value is its default in the model.
/// - A property of the type `One` or `Many` is a relationship, whose inverse and other options
///   `@Relationship` specifies.
/// - The primary key is the attribute `id` or else `remoteID`, as in every model; ``PrimaryKey()``
///   marks another one.
/// - Static, lazy and computed properties are ignored, and so is what ``Transient()`` marks.
///
/// The other parameters are those of `EntityDescription`.
///
/// - Parameters:
///   - name: The name of the entity, as a string literal; by default that of the struct. Several
///     structs may describe one entity.
///   - parent: The record type from whose entity this one inherits, such as `Vehicle.self`. The
///     struct repeats the properties of its parent; marks such as `@Indexed` are inherited and need
///     not be repeated.
///   - isAbstract: Whether the entity has no rows of its own.
///   - primaryKey: The names of the properties that form the primary key, if their order is not
///     that of the struct.
///   - uniquenessConstraints: The constraints of several properties; see also ``Unique()``.
///   - fetchIndexes: The indexes of several properties; see also ``Indexed()``.
///   - discriminator: The JSON key whose value names the sub-entity of an object.
///   - identity: Whether the sub-entities of an abstract entity share a table.
///   - ignoredKeys: The JSON keys that an import ignores deliberately.
///   - renamingIdentifier: The name of the entity in the previous version of the model.
///   - userInfo: Further annotations.
@attached(
    member,
    names: named(rowID),
    named(id),
    named(init),
    named(entityName),
    named(entity),
    named(Properties),
    named(checkInverses),
    named(encode)
)
@attached(extension, conformances: EntityRecord, Identifiable)
public macro Entity(
    _ name: String? = nil,
    parent: (any EntityRecord.Type)? = nil,
    isAbstract: Bool = false,
    primaryKey: [String] = [],
    uniquenessConstraints: [[String]] = [],
    fetchIndexes: [FetchIndex] = [],
    discriminator: String? = nil,
    identity: EntityDescription.Identity? = nil,
    ignoredKeys: [String] = [],
    renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
) = #externalMacro(module: "TidemarkMacroPlugin", type: "EntityMacro")

#endif
