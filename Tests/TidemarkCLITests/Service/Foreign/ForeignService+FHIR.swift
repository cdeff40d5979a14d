import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A health record whose lists wrap each object, and whose objects are replaced whole.
    ///
    /// Source: FHIR R4, “RESTful API”, `search`, `update` and `create`; “Resource Patient”.
    static let fhir = ForeignService(
        name: "FHIR",
        dialect: FHIRResponder.dialect(),
        collection: "Patient",
        objects: (1...3).map { number in
            [
                "resourceType": "Patient", "id": .string("\(number)"),
                "meta": ["versionId": "1"], "birthDate": "1990-01-02",
                "name": [["use": "official", "text": .string("issue \(number)")]],
                "address": [
                    ["text": .string("text \(number)"), "city": "Kiel"], ["city": "Bonn"],
                ],
            ]
        },
        entity: "Patient",
        model: """
            entities:
              Patient:
                attributes:
                  id: string
                  title: {type: string, remoteKey: name.0.text}
                  text: {type: string, remoteKey: address.0.text}
                  birthDate: date
            """,
        service: "  headers: {Accept: application/fhir+json}",
        resource: """
            {path: Patient, envelope: entry, item: resource, push: {
                create: {request: POST, members: {resourceType: Patient}, type: application/fhir+json},
                update: {request: PUT whole, type: application/fhir+json}}}
            """,
        shown: { object in
            let texts = ["name", "address"].map {
                object[$0]?.elements?.first?["text"]?.string ?? "–"
            }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "Patient/\($0)" },
        titleBody: """
            {"resourceType":"Patient","id":"1","meta":{"versionId":"1"},"birthDate":"1990-01-02",\
            "name":[{"use":"official","text":"mine"}],\
            "address":[{"text":"text 1","city":"Kiel"},{"city":"Bonn"}]}
            """,
        editText: { data, number, text in
            data["Patient/\(number)"]?["address"] = [
                ["text": .string(text), "city": "Kiel"], ["city": "Bonn"],
            ]
        },
        invalid: (#"{"title": ""}"#, "name.text: a text must not be empty")
    )
}

private struct FHIRResponder: ForeignResponder {
    static let collection = "Patient"
    let request: FakeDialect.Request

    var action: ForeignAction? {
        guard request.steps.first == "Patient" else { return nil }
        let key = request.steps.count == 2 ? request.steps[1] : nil
        switch (request.http.method, key) {
        case (.get, nil): return .list
        case (.get, let key?): return .read(key)
        case (.post, nil): return .create
        case (.put, let key?): return .update(key, isWhole: true)
        case (.delete, let key?): return .delete(key)
        default: return nil
        }
    }

    func list(_ objects: [FakeJSON]) -> FakeResponse {
        let entries = objects.map { object -> FakeJSON in
            ["fullUrl": .string("urn:\(object.identity ?? "")"), "resource": object]
        }
        return FakeResponse([
            "resourceType": "Bundle", "type": "searchset", "total": .number("\(objects.count)"),
            "link": [], "entry": .array(entries),
        ])
    }

    func object(_ object: FakeJSON?) -> FakeResponse {
        guard let object else { return outcome("not-found", "unknown", .notFound) }
        return FakeResponse(object)
    }

    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON? {
        let name = json["name"]?.elements?.first?["text"]
        guard request.field("Content-Type") == "application/fhir+json",
            json["resourceType"] == "Patient", json["resource"] == nil, !isBlank(name)
        else { return nil }
        return json
    }

    func created(_ object: FakeJSON) -> FakeResponse {
        var response = FakeResponse(object, status: .created)
        let key = object["id"]?.string ?? ""
        response.set("Location", to: "\(request.base)Patient/\(key)/_history/1")
        return response
    }

    func rejected(_ json: FakeJSON) -> FakeResponse {
        outcome("required", "name.text: a text must not be empty", .unprocessableContent)
    }

    private func outcome(
        _ code: String,
        _ text: String,
        _ status: HTTPResponse.Status
    ) -> FakeResponse {
        let issue: FakeJSON = [
            "severity": "error", "code": .string(code), "diagnostics": .string(text),
        ]
        return FakeResponse(
            ["resourceType": "OperationOutcome", "message": .string(text), "issue": [issue]],
            status: status
        )
    }
}
