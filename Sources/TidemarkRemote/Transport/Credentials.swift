public import HTTPTypes

/// A source of header fields that authenticate requests and may expire, such as a bearer token.
///
/// For fields that do not expire use ``Service/headers``.
///
/// ```swift
/// let credentials = Credentials { isRenewal in
///     let token = try await login.token(renewing: isRenewal)
///     return [.authorization: "Bearer \(token)"]
/// }
/// ```
public struct Credentials: Sendable {
    /// Returns the header fields.
    ///
    /// The argument is true if the service rejected the previous ones.
    public let fields: @Sendable (_ isRenewal: Bool) async throws -> HTTPFields

    /// Creates credentials from a closure that returns the header fields.
    ///
    /// - Parameter fields: Returns the header fields. Its argument is true if the service rejected
    ///   the previous ones, which must be renewed then. Its errors are thrown to the sender of the
    ///   request.
    public init(fields: @escaping @Sendable (_ isRenewal: Bool) async throws -> HTTPFields) {
        self.fields = fields
    }
}
