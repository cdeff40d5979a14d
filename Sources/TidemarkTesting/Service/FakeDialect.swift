public import HTTPTypes

/// How a fake service speaks: which answer a request gets of its data.
///
/// A dialect is a value; ``rest(pageSize:)`` is one.
public struct FakeDialect: Sendable {
    /// A request to a fake service, its URL taken apart.
    public struct Request: Sendable {
        /// The request as it came.
        public var http: HTTPRequest

        /// The body as it came.
        public var body: [UInt8]?

        /// Where the service was asked, such as `http://127.0.0.1:8080/api/`.
        public var base: String

        /// The path below the base, without the query.
        public var path: String

        /// The parameters of the query, in order.
        public var query: [(name: String, value: String)]

        /// The value of a parameter of the query.
        public subscript(name: String) -> String? {
            query.last { $0.name == name }?.value
        }
    }

    /// Gives the answer to a request; a write changes the data.
    public var answer: @Sendable (Request, inout FakeData) -> FakeResponse

    /// Makes an answer name itself as its own next page.
    public var loop: @Sendable (inout FakeResponse, Request) -> Void

    /// Creates a dialect.
    public init(
        answer: @escaping @Sendable (Request, inout FakeData) -> FakeResponse,
        loop: @escaping @Sendable (inout FakeResponse, Request) -> Void
    ) {
        self.answer = answer
        self.loop = loop
    }
}
