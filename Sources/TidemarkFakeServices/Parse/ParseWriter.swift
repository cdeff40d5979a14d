import HTTPTypes
import TidemarkTesting

/// Performs the changes of clients as Parse Server does.
///
/// Source: Parse REST API, “Objects” and “Batch operations”.
struct ParseWriter {
    let write: FakeWrite

    /// The most requests in a batch.
    private static let batchLimit = 50

    /// Returns the response to a request; nil if there is nothing at its path.
    func response(changing contents: inout FakeContents) -> FakeResponse? {
        let steps = write.request.steps
        if steps == ["batch"], write.request.http.method == .post { return batch(&contents) }
        guard steps.first == "classes", (2...3).contains(steps.count) else { return nil }
        do throws(ParseFailure) {
            return try respond(steps, &contents)
        } catch {
            return error.response
        }
    }

    private func respond(
        _ steps: [String],
        _ contents: inout FakeContents
    ) throws(ParseFailure) -> FakeResponse? {
        do throws(FakeWriteFailure) {
            let path = steps.dropFirst().joined(separator: "/")
            switch (write.request.http.method, steps.count) {
            case (.post, 2):
                let record = try contents.create(body(changing: nil), in: steps[1], write)
                var response = FakeResponse(
                    [
                        "objectId": .string(record.key),
                        "createdAt": .string(FakePrecision.milliseconds.text(record.created)),
                    ],
                    status: .created
                )
                let location = "\(write.request.base)classes/\(steps[1])/\(record.key)"
                response.set("Location", to: location)
                return response
            case (.put, 3):
                guard let object = contents.record(at: path)?.object else { throw .missing }
                let body = try body(changing: object)
                let record = try contents.update(path, with: body, isWhole: true, write)
                return FakeResponse([
                    "updatedAt": .string(FakePrecision.milliseconds.text(record.changed))
                ])
            case (.delete, 3):
                _ = try contents.delete(path, write)
                return FakeResponse([:])
            default: return nil
            }
        } catch {
            throw ParseFailure(error)
        }
    }

    /// Returns the object that a body results in, with its operations applied.
    private func body(changing object: FakeJSON?) throws(FakeWriteFailure) -> FakeJSON {
        guard case .object(let members)? = write.json else { throw .malformed }
        var result = object ?? [:]
        for member in members where !["createdAt", "updatedAt"].contains(member.name) {
            let isRemoved = member.value["__op"] == "Delete"
            result[member.name] = isRemoved ? FakeJSON?.none : member.value
        }
        return result
    }

    /// Performs the requests of a batch, each by itself.
    private func batch(_ contents: inout FakeContents) -> FakeResponse {
        guard let requests = write.json?["requests"]?.elements else {
            return ParseFailure.badJSON("requests must be an array").response
        }
        let limit = write.rules.batchLimit ?? Self.batchLimit
        guard requests.count <= limit else {
            return ParseFailure.badJSON("batch limit is \(limit)").response
        }
        var results: [FakeJSON] = []
        for request in requests {
            // Header fields are not passed on: a request in a batch has no request id.
            let member = write.request.member(
                HTTPRequest.Method(request["method"]?.string ?? "") ?? .get,
                path: request["path"]?.string ?? "",
                body: request["body"]?.bytes
            )
            let response = ParseWriter(write: FakeWrite(request: member, rules: write.rules))
                .response(changing: &contents)
            let json = response.flatMap { FakeJSON(ifValid: $0.bytes) } ?? .null
            results.append(json["code"] == nil ? ["success": json] : ["error": json])
        }
        return FakeResponse(.array(results))
    }
}

extension ParseFailure {
    init(_ failure: FakeWriteFailure) {
        switch failure {
        case .missing: self = .notFound
        case .malformed: self = .badJSON("invalid JSON")
        case .invalid(let reasons):
            let (name, reason) = reasons.min { $0.key < $1.key } ?? ("", .missing)
            self =
                reason == .missing
                ? ParseFailure(code: 142, message: "\(name) is required.")
                : ParseFailure(
                    code: 137,
                    message: "A duplicate value for a field with unique values was provided"
                )
        case .exists, .stale:
            self = ParseFailure(code: 137, message: "The object exists already.")
        }
    }
}
