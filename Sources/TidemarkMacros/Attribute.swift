#if Macros

/// Specifies options of an attribute.
///
/// The parameters are those of the initializer of the model's `Attribute`, except for what the
/// property, its type and ``RemoteKey(_:)`` specify.
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
///   - type: The type of the attribute in the model. The type of the property must represent all of
///     its values. Defaults to its `attributeType`.
///   - isTransient: Whether the model lists the attribute without a column. It is neither stored,
///     imported nor exported, and exists for models that are shared with Core Data; for state of
///     the app, use ``Transient()``.
///   - defaultValue: The default in the model. Defaults to the initial value of the property if
///     that is a literal or a case.
///   - validation: The bounds of the values, or a pattern. Defaults to none.
///   - isExportable: Whether exports contain the attribute. Defaults to true.
///   - valueTransformer: The name of the transformer that converts the values.
///   - dateFormat: The format of a date in JSON: `seconds`, `milliseconds`, `microseconds`, or a
///     Unicode pattern such as `dd.MM.yyyy`. Defaults to automatic detection.
///   - encoding: The encoding of binary values in JSON.
///   - nullValues: The texts in JSON that mean null, such as `["n/a", "0"]`.
///   - isAsset: Whether a URL is that of a file that the engine downloads and uploads.
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
) = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

/// Specifies the JSON member of an attribute or relationship, if it does not follow from the name.
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
    #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

/// Stores a `Codable` value as a JSON document.
///
/// The document is that of the service, without a mapping: the names of its members and the format
/// of its dates are those of the type's `Codable` conformance with `JSONDecoder` and `JSONEncoder`.
/// A date in ISO 8601 is therefore a `String`, or needs an `init(from:)`.
///
/// A document that does not decode is read as nil or as the initial value; without either, fetching
/// throws `StoreError.Code.invalidValue`. Changing the property writes the encoded value: members
/// that the type lacks are lost. For documents of unknown structure, use `JSONText` without
/// `@JSON`.
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
public macro JSON() = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

/// Excludes a property from the entity and its model, such as state of the user interface.
///
/// It has its initial value in each record that is read.
///
/// ```swift
/// @Entity struct User {
///     let id: Int
///     @Transient var isSelected = false
/// }
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "TidemarkMacroPlugin", type: "PropertyMacro")

#endif
