/// How a fake service speaks: which answer a request gets of what it knows.
///
/// A dialect is a value; ``rest(pageSize:_:)``, ``rails(_:)``, ``parse(_:)``, ``kinto(_:)`` and
/// ``jsonAPI(_:)`` make some.
public struct FakeDialect: Sendable {
    /// The members by which an object is known, the one that counts first.
    public var keys: [String]

    /// How changes are stamped.
    public var stamps: FakeStamps

    /// Gives the answer to a request.
    public var answer: @Sendable (Request, inout FakeContents) -> FakeResponse

    /// Makes an answer name itself as its own next page.
    public var loop: @Sendable (inout FakeResponse, Request) -> Void

    /// Creates a dialect.
    public init(
        keys: [String] = ["url", "id"],
        stamps: FakeStamps = FakeStamps(),
        answer: @escaping @Sendable (Request, inout FakeContents) -> FakeResponse,
        loop: @escaping @Sendable (inout FakeResponse, Request) -> Void
    ) {
        self.keys = keys
        self.stamps = stamps
        self.answer = answer
        self.loop = loop
    }
}
