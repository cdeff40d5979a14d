import TidemarkJSON
import TidemarkModel
import TidemarkRemote
import TidemarkStore

/// The references that are sent as keys, although the objects of the service contain objects there.
///
/// A service that shows `{"author": {"id": 4}}` may accept the same, or only a key: under another
/// name (`author_id`), or under this one. An update that it rejects because of that member is sent
/// once more with the key.
struct ReferenceForms: Sendable {
    /// The names under which the service accepts keys, by entity and member, as this run has shown.
    private var accepted: [String: [String: String]] = [:]

    /// The second attempts of changes.
    private var attempts: [Int64: Attempt] = [:]

    /// The second attempt of an update.
    struct Attempt: Sendable, Hashable {
        /// The names under which keys are sent, by the member that contains an object.
        let keys: [String: String]

        /// Why the service has rejected the first attempt.
        let status: Int?
        let errors: FieldErrors
    }

    /// Returns the names under which keys are sent in the request of a change, by member.
    func accepted(of change: CapturedChange) -> [String: String] {
        (accepted[change.row.entity] ?? [:])
            .merging(attempts[change.number]?.keys ?? [:]) { $1 }
    }

    /// Returns the second attempt of a change; nil without one.
    func attempt(of change: Int64) -> Attempt? { attempts[change] }

    /// Lets a change be sent once more.
    mutating func begin(_ attempt: Attempt, of change: Int64) { attempts[change] = attempt }

    /// Ends the second attempt of a change.
    mutating func end(of change: Int64) { attempts[change] = nil }

    /// Records that the service accepts keys under these names.
    mutating func accept(_ keys: [String: String], of entity: String) {
        accepted[entity, default: [:]].merge(keys) { $1 }
    }
}

extension FrozenChange {
    /// Returns the second attempt of an update that the service has rejected; nil if nothing would
    /// be sent in another form, or it is the second one.
    func secondAttempt(after errors: FieldErrors, status: Int?) -> ReferenceForms.Attempt? {
        guard change.kind == .update, earlier.references == nil, status == 400 || status == 422
        else {
            return nil
        }
        let keys = request.embedded.compactMap { member, key -> (String, String)? in
            let messages = errors.messages(naming: member)
            let others = member == key ? [] : errors.messages(naming: key)
            guard !messages.isEmpty || !others.isEmpty else { return nil }
            // A member that cannot be written is not written as a key either.
            let isRefused = messages.contains(where: \.saysUnknown)
            return (member, isRefused || !others.isEmpty ? key : member)
        }
        guard !keys.isEmpty else { return nil }
        return ReferenceForms.Attempt(
            keys: Dictionary(keys, uniquingKeysWith: { first, _ in first }),
            status: status,
            errors: errors
        )
    }
}

extension FieldErrors {
    /// Returns the messages about a member.
    fileprivate func messages(naming key: String) -> [String] {
        let member = JSONPath(key).names.joined(separator: ".")
        let about = fields.filter { name, _ in
            name == member || name.hasSuffix(".\(member)")
                || [".", "[", "/"].contains { name.hasPrefix(member + $0) }
        }
        let quoted = ["'", "\"", "`"].map { $0 + member + $0 } + ["\(member):"]
        let whole = messages.filter { message in
            quoted.contains { message.contains($0) } || message.hasPrefix("\(member) ")
        }
        return about.flatMap { $0.value.isEmpty ? [""] : $0.value } + whole
    }
}

extension String {
    /// Whether a message says that there is no such member, or that it cannot be changed.
    fileprivate var saysUnknown: Bool {
        let text = lowercased()
        return [
            "unknown", "unexpected", "unrecognized", "unrecognised", "unpermitted", "not permitted",
            "not allowed", "additional", "extra", "no such", "not a field", "read-only",
            "read only",
            "readonly", "not writable", "cannot be changed", "does not exist", "not a valid field",
        ]
        .contains { text.contains($0) }
    }
}
