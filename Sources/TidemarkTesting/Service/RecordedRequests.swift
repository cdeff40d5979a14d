public import HTTPTypes

/// The requests that a fake service received, in order, with the status of each response.
public struct RecordedRequests: RandomAccessCollection, Sendable, CustomStringConvertible {
    /// A recorded request.
    public struct Element: Sendable, CustomStringConvertible {
        /// The request.
        public var request: HTTPRequest

        /// The body of the request.
        public var body: [UInt8]?

        /// The status of the response; nil if there was none.
        public var status: Int?

        /// The request and the status, such as `GET /api/films/?page=2 200`.
        public var description: String {
            "\(request.method.rawValue) \(request.path ?? "/") \(status.map(String.init) ?? "—")"
        }
    }

    private var entries: [Element] = []

    /// Creates an empty record.
    public init() {}

    /// The index of the first request.
    public var startIndex: Int { entries.startIndex }

    /// The index after the last request.
    public var endIndex: Int { entries.endIndex }

    /// The request at an index.
    public subscript(position: Int) -> Element { entries[position] }

    /// The requests, one per line, for comparison in tests.
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
