import HTTPTypes

/// An error of Parse: a code and a message.
struct ParseFailure: Error {
    var code: Int
    var words: String
    var status = HTTPResponse.Status.badRequest

    var response: FakeResponse {
        FakeResponse(["code": .number("\(code)"), "error": .string(words)], status: status)
    }

    static let notFound = ParseFailure(code: 101, words: "Object not found.", status: .notFound)

    static let readOnly = ParseFailure(
        code: 119,
        words: "Permission denied: this service is read.",
        status: .forbidden
    )

    static func badQuery(_ words: String) -> ParseFailure { ParseFailure(code: 102, words: words) }

    static func badJSON(_ words: String) -> ParseFailure { ParseFailure(code: 107, words: words) }
}
