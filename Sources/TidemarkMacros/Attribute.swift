#if Macros

/// States facts of an attribute; the parameters are those of the model's `Attribute`.
///
/// ```swift
/// @Entity struct Order {
///     let id: Int
///     @Attribute(.integer16, validation: .init(minimum: 1)) var count = 1
///     @Attribute(dateFormat: "yyyy-MM-dd") var shippedOn: Date?
/// }
/// ```
///
/// - Parameters:
///   - type: The type in the model, whose values the type of the property must all have; by default
///     its `attributeType`.
///   - isTransient: Whether an import reads the attribute, but the store has no column for it.
///   - defaultValue: The default in the model; by default the initial value of the property if that
///     is a literal or a case.
///   - validation: The limits of the values.
///   - isExportable: Whether an export has the attribute.
///   - valueTransformer: The name of the transformer that converts the values.
///   - dateFormat: The format of dates in JSON.
///   - encoding: The encoding of binary values in JSON.
///   - nullValues: The texts in JSON that mean null.
///   - isAsset: Whether the value refers to a file that is synchronized.
///   - renamingIdentifier: The name of the attribute in the previous version of the model.
///   - userInfo: Further annotations.
@attached(peer)
public macro Attribute(
    _ type: AttributeType? = nil,
    isTransient: Bool = false,
    defaultValue: Value? = nil,
    validation: TidemarkModel.Attribute.Validation = .init(),
    isExportable: Bool = true,
    valueTransformer: String? = nil,
    dateFormat: String? = nil,
    encoding: TidemarkModel.Attribute.BinaryEncoding = .json,
    nullValues: [String] = [],
    isAsset: Bool = false,
    renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
) = #externalMacro(module: "TidemarkMacroPlugin", type: "FactMacro")

/// Names the JSON member of an attribute or relationship, where the naming convention does not.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @RemoteKey("profile.full_name") var name: String
/// }
/// ```
///
/// - Parameter key: The name of the member; dots separate the components of a path through nested
///   objects.
@attached(peer)
public macro RemoteKey(_ key: String) =
    #externalMacro(module: "TidemarkMacroPlugin", type: "FactMacro")

/// Stores a `Codable` value as a JSON document.
///
/// ```swift
/// struct Address: Codable, Sendable { var city: String }
///
/// @Entity struct User {
///     let id: Int
///     @JSON var address: Address?
/// }
/// ```
@attached(peer)
public macro JSON() = #externalMacro(module: "TidemarkMacroPlugin", type: "FactMacro")

/// Leaves a property out of the entity: it has its initial value in each record that is read.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @Transient var isSelected = false
/// }
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "TidemarkMacroPlugin", type: "FactMacro")

#endif
