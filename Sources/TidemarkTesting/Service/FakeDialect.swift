/// The API style of a fake service: the rules by which it responds to a request.
///
/// Use ``rest(pageSize:_:)``, ``rails(_:)``, ``parse(_:)``, ``kinto(_:)`` or ``jsonAPI(_:)``, or
/// create your own.
public struct FakeDialect: Sendable {
    /// The members that identify an object, in order of precedence.
    public var keys: [String]

    /// The rule by which changes are timestamped.
    public var stamps: FakeStamps

    /// Returns the response to a request.
    public var answer: @Sendable (Request, inout FakeContents) -> FakeResponse

    /// Changes a response so that its link to the next page leads to the same page, for
    /// ``FakeFault/loopingNext``.
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
