/// The API style of a fake service: the rules by which it responds to a request.
///
/// Use ``rest(pageSize:_:)`` for a service built with Django REST framework, or one like it. It
/// determines the URLs, the pagination, the format of lists, and which header fields and parameters
/// are supported.
///
/// ```swift
/// let fake = FakeService(collections: ["films": []], dialect: .rest(pageSize: 2))
/// ```
public struct FakeDialect: Sendable {
    /// The members that identify an object, in order of precedence.
    package var keys: [String]

    /// The rule by which changes are timestamped.
    package var stamps: FakeStamps

    /// Returns the response to a request.
    package var respond: @Sendable (Request, inout FakeContents) -> FakeResponse

    /// Changes a response so that its link to the next page leads to the same page, for
    /// ``FakeFault/cyclicNextLink``.
    package var loop: @Sendable (inout FakeResponse, Request) -> Void

    /// Creates a dialect.
    package init(
        keys: [String] = ["url", "id"],
        stamps: FakeStamps = FakeStamps(),
        respond: @escaping @Sendable (Request, inout FakeContents) -> FakeResponse,
        loop: @escaping @Sendable (inout FakeResponse, Request) -> Void = { _, _ in }
    ) {
        self.keys = keys
        self.stamps = stamps
        self.respond = respond
        self.loop = loop
    }
}
