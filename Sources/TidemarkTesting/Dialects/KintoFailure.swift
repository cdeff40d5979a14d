import HTTPTypes

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
        for (name, value) in fields { response.set(name, value) }
        return response
    }

    static let noSuchAddress = KintoFailure(
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
        _ fields: KeyValuePairs<String, String>
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

    static func noRecord(_ key: String) -> KintoFailure { missing("record", key, number: 110) }

    static func noCollection(_ name: String) -> KintoFailure {
        missing("collection", name, number: 111)
    }

    private static func missing(_ kind: String, _ key: String, number: Int) -> KintoFailure {
        KintoFailure(
            status: .notFound,
            number: number,
            error: "Not Found",
            details: ["id": .string(key), "resource_name": .string(kind)]
        )
    }

    /// Returns the error for an invalid parameter or header field.
    static func invalid(
        _ name: String? = nil,
        _ description: String,
        in place: String = "querystring"
    ) -> KintoFailure {
        let isNamed = name.map { description.contains($0) } ?? false
        let prefix = name.map { "\($0) in \(place): " } ?? "\(place): "
        return KintoFailure(
            status: .badRequest,
            number: 107,
            error: "Invalid parameters",
            message: isNamed ? description : prefix + description,
            details: [
                [
                    "location": .string(place), "name": name.map { .string($0) } ?? .null,
                    "description": .string(description),
                ]
            ]
        )
    }
}
