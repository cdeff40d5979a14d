public import HTTPTypes

/// A source of header fields that authenticate requests and may expire, such as a bearer token.
///
/// For fields that do not expire use ``Service/headers``. The fields are requested once and reused.
/// If the service rejects them with 401 (RFC 9110, section 15.5.2), they are renewed, and the
/// request is repeated once; requests that are rejected at the same time share one renewal.
///
/// <!-- example: struct Login { func token() async -> String { "" } -->
/// <!-- example:     func newToken() async -> String { "" } } -->
/// <!-- example: let login = Login() -->
/// ```swift
/// let credentials = Credentials { rejected in
///     let token = rejected == nil ? await login.token() : await login.newToken()
///     return [.authorization: "Bearer \(token)"]
/// }
/// ```
///
/// Credentials are sent to the origins of the service only, and are never stored or logged.
public struct Credentials: Sendable {
    /// Returns the header fields.
    ///
    /// The argument contains the previous fields if the service rejected them; nil for the first
    /// request.
    package let fields: @Sendable (_ rejected: HTTPFields?) async throws -> HTTPFields

    /// Creates credentials from a closure that returns the header fields.
    ///
    /// <!-- example: @Sendable func refresh() async throws -> String { "" } -->
    /// ```swift
    /// let credentials = Credentials { _ in
    ///     [.authorization: "Bearer \(try await refresh())"]
    /// }
    /// let engine = try await SyncEngine.prepare(
    ///     store: store, service: service, resources: [resource], transport: transport,
    ///     credentials: credentials
    /// )
    /// ```
    ///
    /// - Parameter fields: Returns the header fields. Its argument contains the previous ones if
    ///   the service rejected them, which must be renewed then; nil for the first request. Its
    ///   errors are thrown to the sender of the request: a ``RemoteError`` fails the resource, any
    ///   other error stops the pull.
    public init(fields: @escaping @Sendable (_ rejected: HTTPFields?) async throws -> HTTPFields) {
        self.fields = fields
    }
}
