import TidemarkJSON
import TidemarkModel

/// What a service says about a rejected object: messages about the whole, and about its members.
///
/// The names are those of the JSON. Services have no common format; this reads those of the usual
/// frameworks: `{"title": ["…"]}` (Django REST framework), `{"errors": {"title": ["…"]}}` and
/// `{"errors": ["…"]}` (Rails), `errors[].source.pointer` (JSON:API), `errors[].field` and
/// `details[].name` (Spring, Kinto), `data.params` (WordPress), `{"message": "…"}` and similar.
///
/// The document is that of a stranger: names and messages are shortened, and secrets in them are
/// hidden.
package struct FieldErrors: Hashable, Sendable {
    /// The messages about the whole object.
    package private(set) var messages: [String] = []

    /// The messages about members, by the names of these: a path with dots for a nested one.
    package private(set) var fields: [String: [String]] = [:]

    /// The most members with messages, and the most messages of each.
    private static let limit = 20

    /// No messages.
    package init() {}

    /// Reads the messages in the document of a rejection.
    init(_ document: JSONDocument, hiding secrets: SecretMask) {
        document.withRoot { root in
            var reader = Reader(secrets: secrets)
            reader.read(root)
            self = reader.errors
        }
    }

    /// Whether the service says nothing.
    package var isEmpty: Bool { messages.isEmpty && fields.isEmpty }

    fileprivate mutating func add(_ message: String, to name: String?) {
        guard let name else {
            if messages.count < Self.limit, !messages.contains(message) { messages.append(message) }
            return
        }
        guard fields[name] != nil || fields.count < Self.limit else { return }
        let known = fields[name] ?? []
        if known.count < Self.limit, !known.contains(message) { fields[name] = known + [message] }
    }

    /// The names under which services list messages about the whole object.
    fileprivate static let wholeNames: Set = ["non_field_errors", "nonFieldErrors", "base"]
}

/// Reads the messages of one document.
private struct Reader {
    let secrets: SecretMask
    var errors = FieldErrors()

    /// The members that contain the errors of all fields.
    private static let containers = [
        ["errors"], ["error"], ["details"], ["invalid-params"], ["violations"], ["data", "params"],
    ].map(JSONPath.init)

    /// The members of one error that name the field.
    private static let fieldNames = ["field", "name", "param", "path", "propertyPath", "attribute"]

    /// The members of one error that contain its message, the most specific first.
    private static let messageNames = [
        "detail", "description", "message", "defaultMessage", "reason", "msg", "title", "error",
    ]

    private static let depth = 8

    mutating func read(_ root: JSONNode) {
        switch root.kind {
        case .object: readDocument(root)
        case .array: readList(root, of: nil, depth: 0)
        case .string: add(root, to: nil)
        case .number, .true, .false, .null: break
        }
    }

    private mutating func readDocument(_ root: JSONNode) {
        let containers = Self.containers.compactMap { root.node(at: $0) }
            .filter { $0.kind == .object || $0.kind == .array }
        for container in containers { readContainer(container) }
        for name in ["detail", "message", "error", "reason"] where errors.isEmpty {
            if let value = root.member(name), value.kind == .string { add(value, to: nil) }
        }
        guard containers.isEmpty else { return }
        // The document itself maps names to messages. Members such as a status are ignored.
        for (name, value) in root.members {
            let name = name.string
            if FieldErrors.wholeNames.contains(name) {
                if value.kind == .array { readList(value, of: nil, depth: 1) }
            } else if value.kind == .array || value.kind == .object {
                readField(value, named: name, depth: 1)
            }
        }
    }

    private mutating func readContainer(_ node: JSONNode) {
        if node.kind == .array { return readList(node, of: nil, depth: 1) }
        if let message = message(of: node) { return add(message, to: field(of: node)) }
        for (name, value) in node.members {
            let name = name.string
            readField(value, named: FieldErrors.wholeNames.contains(name) ? nil : name, depth: 1)
        }
    }

    /// Reads the messages about one member: a text, a list of them, or those of nested members.
    private mutating func readField(_ node: JSONNode, named name: String?, depth: Int) {
        guard depth < Self.depth else { return }
        switch node.kind {
        case .string: add(node, to: name)
        case .array: readList(node, of: name, depth: depth + 1)
        case .object:
            if let message = message(of: node) { return add(message, to: name ?? field(of: node)) }
            for (inner, value) in node.members {
                let path = [name, inner.string].compactMap(\.self).joined(separator: ".")
                readField(value, named: path, depth: depth + 1)
            }
        case .number, .true, .false, .null: break
        }
    }

    private mutating func readList(_ list: JSONNode, of name: String?, depth: Int) {
        guard depth < Self.depth else { return }
        for element in list.elements {
            if element.kind == .object, let message = message(of: element) {
                add(message, to: name ?? field(of: element))
            } else {
                readField(element, named: name, depth: depth + 1)
            }
        }
    }

    /// Returns the message in an object that describes one error.
    private func message(of node: JSONNode) -> JSONNode? {
        Self.messageNames.lazy.compactMap { node.member($0) }.first { $0.kind == .string }
    }

    /// Returns the member that an object with a message refers to.
    private func field(of node: JSONNode) -> String? {
        if let pointer = node.node(at: JSONPath(["source", "pointer"])), pointer.kind == .string {
            return name(ofPointer: pointer.string)
        }
        // A member that has the message's own name, such as `{"title": "…", "name": "…"}`, is rare
        // enough to be taken for the field.
        return Self.fieldNames.lazy.compactMap { node.member($0) }.first { $0.kind == .string }
            .map { Self.withoutEnvelope($0.string) }
    }

    /// Returns the name in a pointer of JSON:API, such as `/data/attributes/title`; nil for the
    /// whole document.
    private func name(ofPointer pointer: String) -> String? {
        let names = pointer.split(separator: "/")
            .map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
            .drop { ["data", "attributes", "relationships"].contains($0) }
        let path = names.last == "data" ? names.dropLast() : names
        return path.isEmpty ? nil : path.joined(separator: ".")
    }

    /// Returns a name without the envelope that Kinto names with it: `data.title`.
    private static func withoutEnvelope(_ name: String) -> String {
        name.droppingPrefix("data.") ?? name
    }

    private mutating func add(_ node: JSONNode, to name: String?) {
        let text = ServiceMessage.oneLine(secrets.hiding(in: node.string))
        guard !text.isEmpty else { return }
        let shown = name.map { ServiceMessage.oneLine(secrets.hiding(in: $0), limit: 100) }
        errors.add(text, to: shown)
    }
}
