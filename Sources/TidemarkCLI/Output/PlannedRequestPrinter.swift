import Foundation
import TidemarkStore
import TidemarkSync

/// Prints the requests that a push would send.
struct PlannedRequestPrinter {
    private let output: OutputOptions

    init(_ output: OutputOptions) {
        self.output = output
    }

    /// Prints requests, each in one line.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - unconfirmed: The numbers of rows whose changes the service has accepted, and not shown
    ///     yet, by entity.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ requests: [PlannedRequest], unconfirmed: [String: Int] = [:]) throws {
        let document = Document(requests: requests.map(Entry.init), unconfirmed: unconfirmed)
        try output.print(document) {
            if requests.isEmpty { try Console.line("Nothing would be sent.") }
            for request in requests { try Console.line(request.description) }
            for line in PushPrinter.lines(unconfirmed: unconfirmed) { try Console.line(line) }
        }
    }

    /// The requests in JSON.
    private struct Document: Encodable {
        let requests: [Entry]
        let unconfirmed: [String: Int]
    }

    /// A request in JSON.
    struct Entry: Encodable {
        let row: String
        let kind: String
        let properties: [String]
        let method: String
        let url: String
        let isReadFirst: Bool
        let needsApproval: Bool
        let body: String?
        let forms: [String: String]

        init(_ request: PlannedRequest) {
            row = "\(request.row)"
            kind = request.kind.rawValue
            properties = request.properties
            method = request.method
            url = request.url.absoluteString
            isReadFirst = request.isReadFirst
            needsApproval = request.needsApproval
            body = request.body
            forms = request.forms
        }
    }
}
