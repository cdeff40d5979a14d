#if Macros

/// Marks an attribute, or the `One` that leads to a parent, as part of the primary key.
///
/// A key of several properties has their order; `@Entity(primaryKey:)` specifies another one.
///
/// ```swift
/// @Entity struct Company {
///     @PrimaryKey var code: String
///     var name: String
/// }
/// ```
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

/// Declares that no two rows have the same value of the property.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @Unique var email: String
/// }
/// ```
///
/// `@Entity(uniquenessConstraints:)` declares a constraint of several properties.
@attached(peer)
public macro Unique() = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

/// Declares an index on the property, which has its name.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @Indexed var lastName: String
/// }
/// ```
///
/// `@Entity(fetchIndexes:)` declares an index of several properties. Keys, unique properties and
/// relationships have an index anyway.
@attached(peer)
public macro Indexed() = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

#endif
