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
    ///   - change: The kind of the change.
    ///   - style: What the service means by its statuses.
    package init(_ response: WriteResponse, to change: PushStyle.Change, style: PushStyle) {
        switch response.status.code {
        case 200...299: self = Self.success(response, to: change, style: style)
        case 300...399: self = Self.redirect(response)
        default:
            // The numbers of Parse are more exact than its statuses.
            self =
                Self.parse(response, style: style)
                ?? Self.failure(response, to: change, style: style)
        }
    }

    private static func success(
        _ response: WriteResponse,
        to change: PushStyle.Change,
        style: PushStyle
    ) -> WriteOutcome {
        if case .other(let type) = response.content {
            // Invalid JSON is a response that was truncated or damaged.
            return Remote.isJSON(type) ? .uncertain(.foreign) : .denied(.page(type: type))
        }
        let applied = Applied(
            document: response.document,
            entityTag: response.headers[.eTag],
            location: response.headers[.location]
        )
        switch response.status.code {
        case 202:
            let isNamed = applied.location != nil || applied.document != nil
            return change != .create || isNamed ? .applied(applied) : .uncertain(.accepted)
        case 206, 207...299: return .uncertain(.foreign)
        default: return .applied(applied)
        }
    }

    private static func redirect(_ response: WriteResponse) -> WriteOutcome {
        // 303 is the response to a request that was processed (RFC 9110, 15.4.4).
        guard response.status.code != 303 else { return .uncertain(.foreign) }
        return .denied(.redirect(to: response.headers[.location]))
    }

    private static func failure(
        _ response: WriteResponse,
        to change: PushStyle.Change,
        style: PushStyle
    ) -> WriteOutcome {
        let status = response.status.code
        let errors = response.errors
        switch status {
        case 401, 407: return .denied(.credentials)
        case 404, 410: return change == .create ? .denied(.unsupported) : .missing
        case 405, 501: return .denied(.unsupported)
        // The service did not process the request, and says so (RFC 9110, 15.5.20; RFC 8470).
        case 421, 423, 425, 429: return .postponed(response.delay)
        // The service has not received all of the request (RFC 9110, 15.5.9): that may be one that
        // a proxy or the HTTP client sent again after the first was processed.
        case 408: return .uncertain(.failure(status: status))
        case 503 where response.delay != nil: return .postponed(response.delay)
        case 500...599: return .uncertain(.failure(status: status))
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
        case 1, 100, 124: return .uncertain(.failure(status: response.status.code))
        case 101: return .missing
        case 155: return .postponed(response.delay)
        case 159: return .uncertain(.duplicate)
        case 119, 206: return .denied(.unsupported)
        case 209: return .denied(.credentials)
        case 105, 106, 107, 111, 137, 142: return .rejected(response.errors)
        default: return nil
        }
    }
}

extension WriteResponse {
    /// The messages of the service about the object and its members.
    var errors: FieldErrors {
        document.map { FieldErrors($0, hiding: secrets) } ?? FieldErrors()
    }
}
