import TidemarkJSON

extension JSONNode {
    /// Returns whether a document reports that the request has failed, whatever the status of the
    /// response.
    ///
    /// - Parameter isMapped: Returns whether the model maps a member, so that it is a value of the
    ///   object.
    /// - Returns: Whether it does.
    func reportsFailure(exceptIn isMapped: (String) -> Bool) -> Bool {
        guard kind == .object else { return false }
        if reportsErrors(exceptIn: isMapped) { return true }
        for name in ["success", "ok"] {
            guard let value = member(name), !isMapped(name) else { continue }
            if value.kind == .false || value.kind == .string && value.string == "false" {
                return true
            }
        }
        guard let status = member("status"), status.kind == .string, !isMapped("status") else {
            return false
        }
        return ["error", "fail", "failed", "failure"].contains(status.string.lowercased())
    }

    /// Returns whether a document contains errors.
    ///
    /// - Parameter isMapped: Returns whether the model maps a member.
    /// - Returns: Whether it does.
    func reportsErrors(exceptIn isMapped: (String) -> Bool) -> Bool {
        guard kind == .object else { return false }
        return ["errors", "error"].contains { name in
            guard let value = member(name) else { return false }
            return !value.isBlank && !isMapped(name)
        }
    }

    /// Whether a document without objects may say why: by a code of a failure, or by a message
    /// without a code.
    ///
    /// It then proves nothing about the objects of the service.
    var mayExplainAbsence: Bool {
        guard kind == .object else { return false }
        var isSuccess = false
        for name in ["code", "errcode", "errorCode", "error_code", "statusCode", "status_code"] {
            guard let code = member(name), code.kind == .number || code.kind == .string else {
                continue
            }
            let text =
                code.kind == .string ? code.string : String(decoding: code.text, as: UTF8.self)
            let number = Int(text)
            guard
                number == 0 || number.map((200...299).contains) == true
                    || ["ok", "success"].contains(text.lowercased())
            else { return true }
            isSuccess = true
        }
        let messages = ["message", "msg", "errmsg", "errorMessage", "error_message", "detail"]
        return !isSuccess
            && messages.contains {
                member($0).map { $0.kind == .string && !$0.string.isEmpty } == true
            }
    }

    /// Whether the value is empty, as services write it: null, an empty text, list or object, 0, or
    /// false.
    private var isBlank: Bool {
        switch kind {
        case .null, .false: true
        case .true: false
        case .string: string.isEmpty
        case .number: integer == 0
        case .array: !elements.contains { _ in true }
        case .object: !members.contains { _ in true }
        }
    }
}
