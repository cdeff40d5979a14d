public import HTTPTypes

/// Where the header fields come from that a service knows its callers by, where those run out.
///
/// ```swift
/// let credentials = Credentials { isRenewal in
///     let token = try await login.token(renewing: isRenewal)
///     return [.authorization: "Bearer \(token)"]
/// }
/// ```
public struct Credentials: Sendable {
    /// Gives the fields; told whether those given before were refused.
    public let fields: @Sendable (_ isRenewal: Bool) async throws -> HTTPFields

    /// Creates credentials of what gives the fields.
    public init(fields: @escaping @Sendable (_ isRenewal: Bool) async throws -> HTTPFields) {
        self.fields = fields
    }
}
