import HTTPTypes
import TidemarkTesting

/// An error of JSON:API, with the parameter that caused it.
struct JSONAPIFailure: Error {
    static let type = "application/vnd.api+json"

    var status: HTTPResponse.Status
    var title: String
    var detail: String
    var parameter: String?
    /// The pointer to the member of the request that caused it.
    var pointer: String?

    var response: FakeResponse {
        var error: FakeJSON = [
            "status": .string("\(status.code)"), "title": .string(title),
            "detail": .string(detail),
        ]
        error["source"] = parameter.map { ["parameter": .string($0)] }
        if let pointer { error["source"] = ["pointer": .string(pointer)] }
        let json: FakeJSON = ["errors": [error]]
        return FakeResponse(.bytes(json.bytes, type: Self.type), status: status)
    }

    static func parameter(_ name: String, detail: String) -> JSONAPIFailure {
        JSONAPIFailure(
            status: .badRequest,
            title: "Invalid query parameter",
            detail: detail,
            parameter: name
        )
    }

    static func notFound(_ detail: String) -> JSONAPIFailure {
        JSONAPIFailure(status: .notFound, title: "Not found", detail: detail)
    }

    static let notAllowed = JSONAPIFailure(
        status: .methodNotAllowed,
        title: "Method not allowed",
        detail: "This service is read."
    )
}
