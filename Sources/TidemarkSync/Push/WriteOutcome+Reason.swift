import TidemarkRemote

extension WriteOutcome.Denial {
    /// The reason in the outbox, as a clause.
    var reason: String {
        switch self {
        case .credentials: "the service rejects the credentials"
        case .unsupported:
            "the service accepts no such request at this path: correct the path of the list, or the "
                + "method and path under push"
        case .redirect(let location):
            "the service redirects to \(location ?? "another URL"): correct the path"
        case .page(let type): "the response is a page (\(type)), such as that of a sign-in"
        }
    }

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
        case .failure(let status): "the service failed (\(status)) while it processed the change"
        case .accepted: "the service processes the change later, and has not named the object"
        case .foreign: "the response does not say whether the change was applied"
        case .duplicate: "the service has received the same request before"
        }
    }
}

extension FieldErrors {
    /// The messages in one line.
    var reason: String {
        let about = fields.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.joined(separator: ", "))" }
        let all = messages + about
        return all.isEmpty ? "the service gives no reason" : all.joined(separator: "; ")
    }
}
