#if Macros

/// States facts of a relationship; the parameters are those of the model's `Relationship`.
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
///   - isOptional: Whether a row may have no link.
///   - inverse: The name of the destination's property that leads back, as a string literal, which
///     the compiler checks.
///   - deleteRule: What happens to the linked rows when the row is deleted.
///   - minimumCount: The smallest number of links.
///   - maximumCount: The largest number of links.
///   - referenceKeys: The JSON members of a reference to several attributes.
///   - nullValues: The texts in JSON that mean no link.
///   - orphans: What an import does with rows that a list no longer contains.
///   - push: The side whose object a push sends for a link.
///   - isExportable: Whether an export has the relationship.
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
) = #externalMacro(module: "TidemarkMacroPlugin", type: "FactMacro")

#endif
