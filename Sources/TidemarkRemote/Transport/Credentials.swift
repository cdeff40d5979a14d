public import HTTPTypes

/// A source of header fields that authenticate requests and may expire, such as a bearer token.
///
/// For fields that do not expire use ``Service/headers``.
///
/// <!-- example: struct Login { func token() async -> String { "" }; func newToken() async -> String { "" } } -->
/// <!-- example: let login = Login() -->
/// ```swift
/// let credentials = Credentials { rejected in
///     let token = rejected == nil ? await login.token() : await login.newToken()
///     return [.authorization: "Bearer \(token)"]
/// }
/// ```
public struct Credentials: Sendable {
    /// Returns the header fields.
    ///
    /// The argument contains the previous fields if the service rejected them; nil for the first
    /// request.
    public let fields: @Sendable (_ rejected: HTTPFields?) async throws -> HTTPFields

    /// Creates credentials from a closure that returns the header fields.
    ///
    /// - Parameter fields: Returns the header fields. Its argument contains the previous ones if
    ///   the service rejected them, which must be renewed then; nil for the first request. Its
    ///   errors are thrown to the sender of the request.
    public init(fields: @escaping @Sendable (_ rejected: HTTPFields?) async throws -> HTTPFields) {
        self.fields = fields
    }
}
