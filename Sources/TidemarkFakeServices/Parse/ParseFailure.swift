import HTTPTypes
import TidemarkTesting

/// An error of Parse: a code and a message.
struct ParseFailure: Error {
    var code: Int
    var message: String
    var status = HTTPResponse.Status.badRequest

    var response: FakeResponse {
        FakeResponse(["code": .number("\(code)"), "error": .string(message)], status: status)
    }

    static let notFound = ParseFailure(code: 101, message: "Object not found.", status: .notFound)

    static let readOnly = ParseFailure(
        code: 119,
        message: "Permission denied: this service is read.",
        status: .forbidden
    )

    static let duplicateRequest = ParseFailure(code: 159, message: "Duplicate request")

    static func badQuery(_ message: String) -> ParseFailure {
        ParseFailure(code: 102, message: message)
    }

    static func badJSON(_ message: String) -> ParseFailure {
        ParseFailure(code: 107, message: message)
    }
}
