import HTTPTypes
package import TidemarkModel

/// The options of a style, as `tidemark.yml` has them: one text each.
extension PushStyle {
    /// An option under `push:`.
    package enum Option: String, CodingKey, CaseIterable, Sendable {
        case create, update, delete, key, body, names, references, embed, nulls, check, version
        case stale, idempotency, reconcile, batch, read, readEnvelope, responseEnvelope, uploads
        case response, accepted, nested, links
    }

    /// An option of a request that is written as a mapping.
    package enum RequestOption: String, CodingKey, CaseIterable, Sendable {
        case request, body, members, type, existing
    }

    /// Sets an option to a text.
    ///
    /// - Returns: False if the text is not one of the option's forms, see ``forms(of:)``.
    package mutating func set(_ option: Option, to text: String) -> Bool {
        func assign<Value>(_ value: Value?, to path: WritableKeyPath<PushStyle, Value>) -> Bool {
            guard let value else { return false }
            self[keyPath: path] = value
            return true
        }
        func assignIfAny<Value>(
            _ value: Value?,
            to path: WritableKeyPath<PushStyle, Value?>
        ) -> Bool {
            guard value != nil || text == "none" else { return false }
            self[keyPath: path] = value
            return true
        }
        switch option {
        case .create: return assignIfAny(Operation(option: text), to: \.create)
        case .update: return assignIfAny(Operation(option: text), to: \.update)
        case .delete: return assignIfAny(Operation(option: text), to: \.delete)
        case .read: return assignIfAny(Operation(option: text), to: \.reading.operation)
        case .key: return assign(KeySource(rawValue: text), to: \.key)
        case .body: return assign(Wrapper(option: text), to: \.body.wrapper)
        case .names: return assign(Names(rawValue: text), to: \.body.names)
        case .references: return assign(References(rawValue: text), to: \.body.references)
        case .nested: return assign(NestedMembers(rawValue: text), to: \.body.nested)
        case .embed: return assign(Embedding(rawValue: text), to: \.body.embedding)
        case .nulls: return assign(Nulls(rawValue: text), to: \.body.nulls)
        case .check: return assign(PreflightCheck(option: text), to: \.check)
        case .version: return assign(ObjectVersion(option: text), to: \.version)
        case .response: return assign(ResponseContent(rawValue: text), to: \.reading.response)
        case .accepted: return assign(Duration(written: text), to: \.reading.acceptedDelay)
        case .stale: return assign(StaleResponse(option: text), to: \.stale)
        case .idempotency: return assignIfAny(Idempotency(option: text), to: \.idempotency)
        case .reconcile: return assign(Reconciliation(option: text), to: \.reconcile)
        case .batch: return assignIfAny(Batch(option: text), to: \.batch)
        case .links: return assign(Set(links: text), to: \.body.links)
        case .uploads: return assignIfAny(Upload(option: text), to: \.body.uploads)
        case .readEnvelope: return assign(Envelope(option: text), to: \.reading.envelope)
        case .responseEnvelope:
            return assign(Envelope(option: text), to: \.reading.responseEnvelope)
        }
    }

    /// The accepted forms of an option, for messages.
    package static func forms(of option: Option) -> String {
        switch option {
        case .create, .delete, .read: "none, METHOD or METHOD path/{key}"
        case .update: "none, METHOD or METHOD path/{key}, each with or without whole after it"
        case .key: "service or client"
        case .body: "none, a name, {entity} or resource"
        case .names: "observed, snake or camel"
        case .references: "observed, ids, urls, pointers or linkage"
        case .nested: "replace or leaf"
        case .embed: "objects or nested-attributes"
        case .nulls: "explicit, omit or operation"
        case .check: "none, read, read:PARAMETER, version or version:PARAMETER"
        case .version: "header, member:NAME or body:NAME"
        case .stale: "none or statuses such as 409, 412, 422:empty"
        case .response: "auto, object, key, none or any"
        case .accepted: "a duration such as 10m or 1h"
        case .idempotency: "none or header:NAME, with or without ,plain and ,24h after it"
        case .reconcile: "none, key, resend, query:PARAMETER or list"
        case .batch: "none, kinto:path,25 or parse:path,20"
        case .links: "Entity.relationship, several separated by commas"
        case .uploads: "none or METHOD path/{name}>key.path"
        case .readEnvelope, .responseEnvelope: "none or key.path"
        }
    }
}

extension PushStyle {
    /// Sets an option of a request that is written as a mapping.
    ///
    /// - Parameters:
    ///   - option: The option; not ``RequestOption/members``, which has no text.
    ///   - text: The text.
    ///   - change: The kind of the request, which is set already.
    /// - Returns: False if the text is not one of the option's forms.
    package mutating func set(
        _ option: RequestOption,
        to text: String,
        for change: Change
    ) -> Bool {
        guard var operation = operation(for: change) else { return false }
        switch option {
        case .request: return false
        case .members: return false
        case .body:
            guard let wrapper = Wrapper(option: text) else { return false }
            operation.wrapper = wrapper
        case .type:
            guard text.split(separator: "/").count == 2, !text.contains(" ") else { return false }
            operation.mediaType = text
        case .existing:
            guard change == .create, let existing = ExistingObject(rawValue: text) else {
                return false
            }
            operation.existing = existing
        }
        set(operation, for: change)
        return true
    }

    /// Sets the members that every body of a request has.
    package mutating func set(_ members: [String: Value], for change: Change) {
        guard var operation = operation(for: change) else { return }
        operation.members = members
        set(operation, for: change)
    }

    private mutating func set(_ operation: Operation, for change: Change) {
        switch change {
        case .create: create = operation
        case .update: update = operation
        case .delete: delete = operation
        }
    }

    /// The accepted forms of an option of a request, for messages.
    package static func forms(of option: RequestOption, for change: Change) -> String {
        switch option {
        case .request: forms(of: change == .update ? .update : .create)
        case .body: forms(of: .body)
        case .members: "a mapping of names to texts, numbers, true, false or null"
        case .type: "a media type such as application/merge-patch+json"
        case .existing: change == .create ? "conflict or adopt" : "it for create only"
        }
    }
}

extension PushStyle.Operation {
    /// Parses `METHOD`, `METHOD path` and both with ` whole` after them; nil for anything else.
    init?(option: String) {
        var words = option.split(separator: " ").map(String.init)
        let isWhole = words.count > 1 && words.last == "whole"
        if isWhole { words.removeLast() }
        guard let name = words.first, words.count <= 2,
            name.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }),
            let method = HTTPRequest.Method(name)
        else { return nil }
        self.init(
            method,
            path: words.count > 1 ? words[1] : nil,
            content: isWhole ? .whole : .changes
        )
    }
}

extension PushStyle.Wrapper {
    /// Parses `none`, `resource`, or the name of a member.
    init?(option: String) {
        switch option {
        case "": return nil
        case "none": self = .object
        case "resource": self = .resource
        default: self = .member(option)
        }
    }
}

extension PushStyle.PreflightCheck {
    init?(option: String) {
        switch option {
        case "none": self = .none
        case "read": self = .read(parameter: nil)
        case "version": self = .version(parameter: nil)
        default:
            if let parameter = option.droppingPrefix("read:") {
                self = .read(parameter: parameter)
            } else if let parameter = option.droppingPrefix("version:") {
                self = .version(parameter: parameter)
            } else {
                return nil
            }
        }
    }
}

extension PushStyle.ObjectVersion {
    init?(option: String) {
        if option == "header" {
            self = .header
        } else if let name = option.droppingPrefix("member:") {
            self = .member(name)
        } else if let name = option.droppingPrefix("body:") {
            self = .body(name)
        } else {
            return nil
        }
    }
}

extension PushStyle.StaleResponse {
    /// Parses `none`, or status codes separated by commas, with `:empty` after those that count
    /// only without a message.
    init?(option: String) {
        self.init(statuses: [])
        guard option != "none" else { return }
        for item in option.split(separator: ",") {
            let parts = item.split(separator: ":", maxSplits: 1)
                .map { String($0.drop { $0 == " " }) }
            guard let status = parts.first.flatMap({ Int($0) }), 400...599 ~= status else {
                return nil
            }
            if parts.count == 1 {
                statuses.insert(status)
            } else if parts[1] == "empty" {
                statusesWithoutMessage.insert(status)
            } else {
                return nil
            }
        }
    }
}

extension PushStyle.Idempotency {
    init?(option: String) {
        let parts = option.split(separator: ",").map(String.init)
        guard let name = parts.first?.droppingPrefix("header:"), HTTPField.Name(name) != nil else {
            return nil
        }
        self.init(field: name)
        for part in parts.dropFirst() {
            if part == "plain" {
                format = .plain
            } else if let time = Duration(written: part) {
                lifetime = time
            } else {
                return nil
            }
        }
    }
}

extension PushStyle.Reconciliation {
    init?(option: String) {
        switch option {
        case "none": self = .none
        case "key": self = .key
        case "resend": self = .resend
        case "list": self = .list
        default:
            guard let parameter = option.droppingPrefix("query:") else { return nil }
            self = .query(parameter: parameter)
        }
    }
}

extension PushStyle.Batch {
    /// Parses `kinto:PATH,N` or `parse:PATH,N`.
    init?(option: String) {
        let parts = option.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let format = Format(rawValue: parts[0]),
            let comma = parts[1].lastIndex(of: ","), comma > parts[1].startIndex,
            let limit = Int(parts[1][parts[1].index(after: comma)...]), limit > 0
        else { return nil }
        self.init(format, path: String(parts[1][..<comma]), limit: limit)
    }
}

extension Set<String> {
    /// Reads the option `links`; nil unless each part is an entity and a relationship.
    fileprivate init?(links text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix { $0 == " " } }
        let isValid = names.allSatisfy { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
        }
        guard isValid else { return nil }
        self.init(names.map(String.init))
    }
}
