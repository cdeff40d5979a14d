import HTTPTypes
import TidemarkJSON

/// Where the services that accept several changes in one request put their responses.
extension PushStyle.Batch.Format {
    /// Returns the list of responses in a document.
    func list(in root: JSONNode) -> JSONNode? {
        switch self {
        case .kinto: root.member("responses")
        case .parse: root
        }
    }

    /// Reads the response to a change; nil if it is not one.
    ///
    /// - Parameters:
    ///   - member: The element of the list.
    ///   - request: The change.
    /// - Returns: The response.
    func response(in member: JSONNode, to request: WriteRequest) -> BatchMember? {
        switch self {
        case .kinto: kintoResponse(in: member)
        case .parse: parseResponse(in: member, to: request)
        }
    }

    /// Whether a response to one change means that those before it in the batch were undone,
    /// although each has a response of its own.
    ///
    /// Source: Kinto, `views/batch.py`: a conflict (409) aborts the transaction that the changes
    /// before it were made in.
    ///
    /// - Parameter response: The response.
    /// - Returns: Whether it is unknown what became of the changes before it.
    func undoesEarlierChanges(_ response: WriteResponse) -> Bool {
        switch self {
        case .kinto: response.status == .conflict
        case .parse: false
        }
    }

    private func kintoResponse(in member: JSONNode) -> BatchMember? {
        guard let status = member.member("status")?.integer, 100...599 ~= status else { return nil }
        var response = BatchMember(status: Int(status), body: member.member("body"))
        if let headers = member.member("headers") {
            for (name, value) in headers.members where value.kind == .string {
                if let name = HTTPField.Name(name.string) { response.fields[name] = value.string }
            }
        }
        return response
    }

    private func parseResponse(in member: JSONNode, to request: WriteRequest) -> BatchMember? {
        let success = member.member("success")
        guard let body = success ?? member.member("error") else { return nil }
        // The outcome of a failure follows from its code, and 400 is the status of most of them.
        let status = success == nil ? 400 : request.method == .post ? 201 : 200
        return BatchMember(status: status, body: body)
    }
}
