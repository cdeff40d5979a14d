#if Macros

/// Specifies options of a relationship.
///
/// The parameters are those of the initializer of the model's `Relationship`, except for what the
/// property, its type and ``RemoteKey(_:)`` specify.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @Relationship(isOrdered: true, inverse: "user", deleteRule: .cascade) var notes: Many<Note>
/// }
/// @Entity struct Note {
///     let id: Int
///     @Relationship(inverse: "notes") var user: One<User>
/// }
/// ```
///
/// - Parameters:
///   - isOrdered: Whether the rows of a `Many` have an order.
///   - isOptional: Whether a row without a link is valid; `tidemark verify` reports it otherwise.
///     Defaults to true.
///   - inverse: The name of the destination's relationship that leads back, as a string literal. A
///     misspelled name is an error of the compiler.
///   - deleteRule: What a deletion does to linked rows: `.nullify` (the default), `.cascade`,
///     `.deny` or `.noAction`.
///   - minimumCount: The smallest number of links. It is stored with the model; imports do not
///     check it.
///   - maximumCount: The largest number of links, likewise.
///   - referenceKeys: The JSON members of a reference to several attributes.
///   - nullValues: The texts in JSON that mean no link.
///   - orphans: Whether an import deletes or unlinks the rows that a one-to-many list no longer
///     contains. Defaults to `.delete`.
///   - push: The side whose object a push sends for a link.
///   - isExportable: Whether exports contain the relationship. Defaults to true.
///   - renamingIdentifier: The name of the relationship in the previous version of the model.
///   - userInfo: Further annotations.
@attached(peer)
public macro Relationship(
    isOrdered: Bool = false,
    isOptional: Bool = true,
    inverse: String? = nil,
    deleteRule: TidemarkModel.Relationship.DeleteRule = .nullify,
    minimumCount: Int? = nil,
    maximumCount: Int? = nil,
    referenceKeys: [String] = [],
    nullValues: [String] = [],
    orphans: TidemarkModel.Relationship.OrphanPolicy = .delete,
    push: TidemarkModel.Relationship.PushedLinks? = nil,
    isExportable: Bool = true,
    renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
) = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

#endif
