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
    /// - Parameter requests: The requests.
    /// - Throws: ``Failure`` if standard output cannot be written.
    func print(_ requests: [PlannedRequest]) throws {
        try output.print(["requests": requests.map(Entry.init)]) {
            guard !requests.isEmpty else { return try Console.line("Nothing would be sent.") }
            for request in requests { try Console.line(request.description) }
        }
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
