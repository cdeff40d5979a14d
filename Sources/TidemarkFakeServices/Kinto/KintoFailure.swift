import HTTPTypes
import TidemarkTesting

/// An error of Kinto: the HTTP status, Kinto's error number, and a message.
struct KintoFailure: Error {
    var status: HTTPResponse.Status
    var number: Int
    var error: String
    var message: String?
    var details: FakeJSON?
    var fields: KeyValuePairs<String, String> = [:]

    var response: FakeResponse {
        var json: FakeJSON = [
            "code": .number("\(status.code)"), "errno": .number("\(number)"),
            "error": .string(error),
        ]
        json["message"] = message.map { .string($0) }
        json["details"] = details
        var response = FakeResponse(json, status: status)
        for (name, value) in fields { response.set(name, to: value) }
        return response
    }

    static let unknownPath = KintoFailure(
        status: .notFound,
        number: 111,
        error: "Not Found",
        message: "The resource you are looking for could not be found."
    )

    static let notAllowed = KintoFailure(
        status: .methodNotAllowed,
        number: 115,
        error: "Method Not Allowed",
        message: "Method not allowed on this endpoint.",
        fields: ["Allow": "HEAD, GET"]
    )

    static let forbidden = KintoFailure(
        status: .forbidden,
        number: 121,
        error: "Forbidden",
        message: "This user cannot access this resource."
    )

    static func modifiedMeanwhile(
        _ existing: FakeJSON?,
        fields: KeyValuePairs<String, String>
    ) -> KintoFailure {
        KintoFailure(
            status: .preconditionFailed,
            number: 114,
            error: "Precondition Failed",
            message: "Resource was modified meanwhile",
            details: existing.map { ["existing": $0] },
            fields: fields
        )
    }

    static func noRecord(_ key: String) -> KintoFailure { missing("record", key: key, number: 110) }

    static func noCollection(_ name: String) -> KintoFailure {
        missing("collection", key: name, number: 111)
    }

    private static func missing(_ kind: String, key: String, number: Int) -> KintoFailure {
        KintoFailure(
            status: .notFound,
            number: number,
            error: "Not Found",
            details: ["id": .string(key), "resource_name": .string(kind)]
        )
    }

    /// Returns the error for an invalid parameter or header field.
    static func invalid(
        _ description: String,
        name: String? = nil,
        in location: String = "querystring"
    ) -> KintoFailure {
        let isNamed = name.map { description.contains($0) } ?? false
        let prefix = name.map { "\($0) in \(location): " } ?? "\(location): "
        return KintoFailure(
            status: .badRequest,
            number: 107,
            error: "Invalid parameters",
            message: isNamed ? description : prefix + description,
            details: [
                [
                    "location": .string(location), "name": name.map { .string($0) } ?? .null,
                    "description": .string(description),
                ]
            ]
        )
    }
}
