public import HTTPTypes

/// The requests that a fake service received, in order, with the status of each response.
///
/// It is a collection, so that a test can count and filter requests; its description is one line
/// for each, so that a test can compare all of them at once.
///
/// ```swift
/// let conditional = fake.requests.filter { $0.request.headerFields[.ifNoneMatch] != nil }
/// print(conditional.count, fake.requests.map(\.status))
/// ```
public struct RecordedRequests: RandomAccessCollection, Sendable, CustomStringConvertible {
    /// A recorded request, with its body and the status of its response.
    ///
    /// ```swift
    /// if let last = fake.requests.last {
    ///     print(last.request.path ?? "/", last.status == 304)
    /// }
    /// ```
    public struct Element: Sendable, CustomStringConvertible {
        /// The request, with its header fields.
        ///
        /// Credentials are included.
        public var request: HTTPRequest

        /// The body of the request; nil if it had none.
        public var body: [UInt8]?

        /// The status of the response; nil if there was none, as with
        /// ``FakeFault/connectionClosed``.
        public var status: Int?

        /// The request and the status, such as `GET /api/films/?page=2 200`; the status is `—` if
        /// there was no response.
        public var description: String {
            "\(request.method.rawValue) \(request.path ?? "/") \(status.map(String.init) ?? "—")"
        }
    }

    private var entries: [Element] = []

    /// Creates an empty record.
    package init() {}

    /// The index of the first request, which is 0.
    public var startIndex: Int { entries.startIndex }

    /// The index after the last request.
    public var endIndex: Int { entries.endIndex }

    /// The request at an index.
    public subscript(position: Int) -> Element { entries[position] }

    /// The requests, one per line, for comparison in tests.
    ///
    /// ```swift
    /// print(fake.requests)
    /// // GET /api/films/ 200
    /// // GET /api/films/?page=2 503
    /// // GET /api/films/?page=2 200
    /// ```
    public var description: String {
        entries.map(\.description).joined(separator: "\n")
    }

    mutating func append(_ request: HTTPRequest, body: [UInt8]?) -> Int {
        entries.append(Element(request: request, body: body))
        return entries.count - 1
    }

    mutating func record(status: Int, at index: Int) {
        guard entries.indices.contains(index) else { return }
        entries[index].status = status
    }
}
