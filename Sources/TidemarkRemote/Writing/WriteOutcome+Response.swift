import HTTPTypes
import TidemarkJSON
import TidemarkModel

extension WriteOutcome {
    /// Returns what a response to a change means.
    ///
    /// Sources: RFC 9110, section 15 (status codes); RFC 6585 (428, 429); JSON:API 1.1, “Creating,
    /// updating and deleting resources”; Kinto HTTP API 1.x, “Error responses”; Parse REST API,
    /// “Error codes”.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - expectation: The request, and what the service means by its statuses.
    /// - Throws: `JSONError` if the object in the response exceeds the limits.
    package init(_ response: WriteResponse, to expectation: WriteExpectation) throws {
        let style = expectation.shared.resource.push
        switch response.status.code {
        case 200...299: self = try Self.success(response, to: expectation)
        case 300...399: self = Self.redirect(response)
        default:
            // The numbers of Parse are more exact than its statuses.
            self =
                Self.parse(response, style: style)
                ?? Self.failure(response, to: expectation.shared.change, style: style)
        }
    }

    /// Returns what the response to a batch as a whole means for each of its changes.
    ///
    /// - Parameters:
    ///   - response: The response, which contains none to the changes themselves.
    ///   - style: What the service means by its statuses.
    package init(toBatch response: WriteResponse, style: PushStyle) {
        let outcome =
            switch response.status.code {
            case 200...299: WriteOutcome.uncertain(.foreign)
            case 300...399: Self.redirect(response)
            default:
                Self.parse(response, style: style)
                    ?? Self.failure(response, to: .create, style: style)
            }
        switch outcome {
        // It is about the batch: an object that does not exist would be one to delete.
        case .missing, .exists: self = .denied(.unsupported(FieldErrors()))
        case .stale(let errors), .rejected(let errors): self = .denied(.unsupported(errors))
        case .applied, .contradictory, .accepted: self = .uncertain(.foreign)
        case .denied, .postponed, .uncertain: self = outcome
        }
    }

    private static func success(
        _ response: WriteResponse,
        to expectation: WriteExpectation
    ) throws -> WriteOutcome {
        // Accepted is not done: neither its body nor its location is about the object, but about
        // the work (RFC 9110, 15.3.3).
        guard response.status.code != 202 else { return .accepted(response.delay) }
        if case .other(let type) = response.content {
            // Invalid JSON is a response that was truncated or damaged.
            guard !Remote.isJSON(type) else { return .uncertain(.foreign) }
            guard response.text != nil else { return .denied(.page(type: type)) }
        }
        // The service claims a success: sent again like a change whose response was lost, an object
        // that it has created in part would be doubled.
        let status = response.status.code
        guard ![206, 207, 208].contains(status) else {
            return .contradictory(.partial(status: status))
        }
        return try response.outcome(of: expectation)
    }

    private static func redirect(_ response: WriteResponse) -> WriteOutcome {
        // 303 is the response to a request that was processed (RFC 9110, 15.4.4).
        guard response.status.code != 303 else { return .uncertain(.foreign) }
        return .denied(.redirect(to: response.shownLocation))
    }

    private static func failure(
        _ response: WriteResponse,
        to change: PushStyle.Change,
        style: PushStyle
    ) -> WriteOutcome {
        let status = response.status.code
        let errors = response.errors
        guard !RateLimit.isReached(response.status, response.headers) else {
            return .postponed(response.delay)
        }
        switch status {
        case 401, 407: return .denied(.credentials(errors))
        case 404, 410: return change == .create ? .denied(.unsupported(errors)) : .missing
        case 405, 501: return .denied(.unsupported(errors))
        // The service did not process the request, and says so (RFC 9110, 15.5.20; RFC 8470).
        case 421, 423, 425: return .postponed(response.delay)
        // The service has not received all of the request (RFC 9110, 15.5.9): that may be one that
        // a proxy or the HTTP client sent again after the first was processed.
        case 408: return .uncertain(.failure(status: status, errors))
        case 503 where response.delay != nil: return .postponed(response.delay)
        case 500...599: return .uncertain(.failure(status: status, errors))
        case 409, 412:
            if change == .create {
                // A new object has no version that could be outdated.
                return style.key == .client ? .exists : .rejected(errors)
            }
            guard style.stale.statuses.contains(status) else { return .rejected(errors) }
            return .stale(errors)
        case 428: return .stale(errors)
        // A member of a batch may have any number.
        case ..<400, 600...: return .uncertain(.foreign)
        default:
            if style.stale.statuses.contains(status) {
                return .stale(errors)
            }
            if style.stale.statusesWithoutMessage.contains(status), errors.isEmpty {
                return .stale(errors)
            }
            return .rejected(errors)
        }
    }

    /// Returns the meaning of an error code of Parse; nil for other services and codes.
    ///
    /// A code for a failure of the server is treated like its status: the object may be stored.
    private static func parse(_ response: WriteResponse, style: PushStyle) -> WriteOutcome? {
        guard style.body.references == .pointers else { return nil }
        let code = response.document?.withRoot { $0.member("code")?.integer }
        switch code.flatMap(\.self) {
        case 1, 100, 124:
            return .uncertain(.failure(status: response.status.code, response.errors))
        case 101: return .missing
        case 155: return .postponed(response.delay)
        case 159: return .uncertain(.duplicate)
        case 119, 206: return .denied(.unsupported(response.errors))
        case 209: return .denied(.credentials(response.errors))
        case 105, 106, 107, 111, 137, 142: return .rejected(response.errors)
        default: return nil
        }
    }
}

extension WriteResponse {
    /// The messages of the service about the object and its members.
    var errors: FieldErrors {
        if let document { return FieldErrors(document, hiding: secrets) }
        return text.map(FieldErrors.init(message:)) ?? FieldErrors()
    }

    /// Returns what a response with the status of a success means.
    fileprivate func outcome(of expectation: WriteExpectation) throws -> WriteOutcome {
        func applied(
            _ document: JSONDocument?,
            confirming confirmation: WriteOutcome.Confirmation,
            errors: FieldErrors = FieldErrors()
        ) -> WriteOutcome {
            .applied(
                WriteOutcome.Applied(
                    document: document,
                    confirms: confirmation,
                    errors: errors,
                    entityTag: headers[.eTag],
                    locations: [headers[.location], headers[.contentLocation]].compactMap(\.self),
                    secrets: secrets
                )
            )
        }
        switch expectation.shared.resource.push.reading.response {
        case .any: return applied(document, confirming: .everything)
        case .none: return applied(nil, confirming: .nothing)
        case .key: return applied(document, confirming: .nothing)
        case .automatic, .object: break
        }
        if text != nil { return .contradictory(.noObject("a text")) }
        switch try expectation.evidence(in: document, type: headers.mediaType, hiding: secrets) {
        case .object(let errors): return applied(document, confirming: .shownValues, errors: errors)
        case .error(let errors): return .contradictory(.error(errors))
        case .noObject(let content): return .contradictory(.noObject(content))
        case .otherObject: return applied(nil, confirming: .nothing)
        case .unspecific where expectation.shared.resource.push.reading.response == .object:
            return .contradictory(.noObject(document == nil ? "no object" : "another object"))
        case .unspecific: return applied(document, confirming: .nothing)
        }
    }
}
