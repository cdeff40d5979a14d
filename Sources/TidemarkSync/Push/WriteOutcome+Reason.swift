import TidemarkModel
import TidemarkRemote

extension WriteOutcome {
    /// Returns why a change is sent again later, as a clause.
    ///
    /// - Parameters:
    ///   - delay: The delay that the service requests; nil without one.
    ///   - limits: `Limits.http.pause` is the longest one that counts.
    /// - Returns: The reason.
    static func reason(forPause delay: Duration?, _ limits: Limits) -> String {
        guard let delay, delay > .zero else { return "the service requests a pause" }
        let isCut = delay >= limits.http.pause
        return "the service requests a pause of \(delay.shown)\(isCut ? " or more" : "")"
    }
}

extension WriteOutcome.Denial {
    /// The reason in the outbox, as a clause.
    var reason: String {
        switch self {
        case .credentials(let errors): "the service rejects the credentials\(errors.quoted)"
        case .unsupported(let errors):
            "the service accepts no such request at this path\(errors.quoted): correct the path of "
                + "the list, or the method and path under push"
        case .redirect(let location):
            "the service redirects to \(location ?? "another URL"): correct the path"
        case .page(let type): "the response is a page (\(type)), such as that of a sign-in"
        }
    }

    /// Whether the service accepts no changes at all.
    var isOfCredentials: Bool { if case .credentials = self { true } else { false } }

    /// The failure of the list.
    func error(status: Int?) -> RemoteError {
        let code: RemoteError.Code =
            switch self {
            case .credentials: .unauthorized
            case .unsupported: .clientError
            case .redirect: .redirectRejected
            case .page: .notJSON
            }
        let message = reason.prefix(1).uppercased() + reason.dropFirst() + "."
        return RemoteError(code, message, status: status)
    }
}

extension WriteOutcome.Doubt {
    /// The reason in the outbox, as a clause.
    var reason: String {
        switch self {
        case .noResponse: "no response was received"
        case .failure(let status, let errors):
            "the service failed (\(status)) while it processed the change\(errors.quoted)"
        case .foreign: "the response does not say whether the change was applied"
        case .duplicate: "the service has received the same request before"
        }
    }
}

extension WriteOutcome.Contradiction {
    /// The reason in the outbox, as a clause.
    var reason: String {
        switch self {
        case .error(let errors): errors.reason
        case .noObject(let content):
            "the response contains \(content) instead of the object, as if none was changed: the "
                + "account may not be permitted to change it"
        case .partial(let status):
            "the response has the status \(status), which does not say whether the change was applied"
        }
    }
}

extension FieldErrors {
    /// The messages in one line.
    var reason: String { isEmpty ? "the service gives no reason" : line }

    /// The messages in quotation marks after a space, such as those that a failure of the service
    /// adds to its status; empty without any.
    var quoted: String { isEmpty ? "" : " (“\(line)”)" }

    private var line: String {
        let about = fields.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.joined(separator: ", "))" }
        return (messages + about).joined(separator: "; ")
    }
}
