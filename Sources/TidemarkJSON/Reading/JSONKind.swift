/// The kinds of JSON values, as in RFC 8259, section 3.
///
/// `true` and `false` are kinds of their own. Compare ``JSONNode/kind`` to find out how a service
/// represents a value:
///
/// ```swift
/// switch node.kind {
/// case .string: print("a key or a URL: \(node.string)")
/// case .object: print("an embedded object")
/// case .null: print("no value")
/// default: print("not a reference")
/// }
/// ```
@frozen public enum JSONKind: UInt8, Sendable {
    /// An object, `{…}`; see ``JSONNode/members``.
    case object
    /// An array, `[…]`; see ``JSONNode/elements``.
    case array
    /// A string, `"…"`; see ``JSONNode/string``.
    case string
    /// A number; see ``JSONNode/integer`` and ``JSONNode/double``.
    case number
    /// The literal `true`; see ``JSONNode/boolean``.
    case `true`
    /// The literal `false`; see ``JSONNode/boolean``.
    case `false`
    /// The literal `null`.
    ///
    /// A member that is null differs from a missing one: in an import, null clears an attribute,
    /// and a missing member leaves the stored value unchanged.
    case null
}
