import TidemarkJSON
import TidemarkModel

/// What a service says about a rejected object: messages about the whole, and about its members.
///
/// The names are those of the JSON. Services have no common format; this reads those of the usual
/// frameworks: `{"title": ["…"]}` (Django REST framework), `{"errors": {"title": ["…"]}}` and
/// `{"errors": ["…"]}` (Rails), `errors[].source.pointer` (JSON:API), `errors[].field` and
/// `details[].name` (Spring, Kinto), `data.params` (WordPress), problem details (RFC 9457),
/// `issue[].diagnostics` (FHIR), `error.message` and `error.details[]` (OData, Google), `message`,
/// `details` and `hint` (PostgREST), `ModelState` (ASP.NET), `data.title.message` (PocketBase),
/// `errmsg` (MongoDB, WeChat), `{"description": "…"}` and similar.
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

    /// Creates the message of a response that is a text.
    ///
    /// - Parameter message: The text, in one line and without secrets.
    init(message: String) { messages = [message] }

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

    private static let depth = 8

    mutating func read(_ root: JSONNode) {
        switch root.kind {
        case .object:
            readDocument(root, depth: 0)
            if errors.isEmpty { readNames(of: root) }
        case .array: readList(root, of: nil, depth: 0)
        case .string: add(root, to: nil)
        case .number, .true, .false, .null: break
        }
    }

    /// Reads an object that describes the whole failure: a document, or its member `error`.
    private mutating func readDocument(_ node: JSONNode, depth: Int) {
        guard depth < Self.depth else { return }
        for name in Self.wrappers {
            guard let error = node.member(name) else { continue }
            if error.kind == .object {
                readDocument(error, depth: depth + 1)
                if errors.isEmpty { readNames(of: error) }
            }
            if error.kind == .array { readList(error, of: nil, depth: depth + 1) }
        }
        for path in Self.containers {
            guard let container = node.node(at: path) else { continue }
            readContainer(container, depth: depth + 1)
        }
        for path in Self.maps {
            guard let map = node.node(at: path), map.kind == .object else { continue }
            readContainer(map, depth: depth + 1)
        }
        if let data = node.member("data"), data.kind == .object {
            readData(data, of: node, depth: depth + 1)
        }
        if let state = node.member(Self.modelState), state.kind == .object {
            for (name, value) in state.members {
                readField(value, named: Self.withoutParameter(name.string), depth: depth + 1)
            }
        }
        readText(of: node, isNested: depth > 0)
    }

    /// Reads the data of a failure, which are the messages by field (JSend), or objects with them
    /// (PocketBase).
    private mutating func readData(_ data: JSONNode, of document: JSONNode, depth: Int) {
        if let status = document.member("status"), status.kind == .string, status.string == "fail" {
            return readContainer(data, depth: depth)
        }
        for (name, value) in data.members
        where value.kind == .object && message(of: value, named: Self.specificNames) != nil {
            readField(value, named: name.string, depth: depth)
        }
    }

    /// Reads the text of an object that describes the whole failure.
    ///
    /// Of a document whose members have messages, a summary such as “The given data was invalid.”
    /// adds nothing.
    private mutating func readText(of node: JSONNode, isNested: Bool) {
        for name in Self.explanations {
            if let text = node.member(name), text.kind == .string { add(text, to: nil) }
        }
        guard isNested || errors.isEmpty else { return }
        if let texts = node.member("message"), texts.kind == .array,
            node.member("error") != nil || node.member("statusCode") != nil
        {
            // Otherwise it is the name of a field.
            readList(texts, of: nil, depth: 1)
        } else if let text = message(of: node, named: Self.messageNames) {
            // An error as a whole may have a name of its own, such as `ValidationError`.
            let names = Self.fieldNames.filter { $0 != "name" }
            add(text, to: isNested ? field(of: node, named: names) : nil)
        }
        // PostgREST repeats those of PostgreSQL, which contain the values.
        for name in ["details", "hint"] {
            if let text = node.member(name), text.kind == .string { add(text, to: nil) }
        }
    }

    /// Reads a document that maps names to messages.
    ///
    /// Members such as a status are ignored.
    private mutating func readNames(of root: JSONNode) {
        for (name, value) in root.members {
            let name = name.string
            if FieldErrors.wholeNames.contains(name) {
                if value.kind == .array { readList(value, of: nil, depth: 1) }
            } else if value.kind == .array || value.kind == .object, !Self.isReserved(name) {
                readField(value, named: name, depth: 1)
            }
        }
    }

    private mutating func readContainer(_ node: JSONNode, depth: Int) {
        guard node.kind == .object else {
            if node.kind == .array { readList(node, of: nil, depth: depth) }
            return
        }
        // A field may be called `title` or `description`. The message of OData has a language.
        if let message = message(of: node, named: Self.specificNames) {
            return add(message, to: field(of: node))
        }
        if node.member("lang") != nil { return }
        for (name, value) in node.members {
            let name = name.string
            if Self.nested.contains(name) {
                readField(value, named: nil, depth: depth)
            } else {
                let isWhole = FieldErrors.wholeNames.contains(name)
                readField(value, named: isWhole ? nil : name, depth: depth)
            }
        }
    }

    /// Reads the messages about one member: a text, a list of them, or those of nested members.
    private mutating func readField(_ node: JSONNode, named name: String?, depth: Int) {
        guard depth < Self.depth else { return }
        switch node.kind {
        case .string: add(node, to: name)
        case .array: readList(node, of: name, depth: depth + 1)
        case .object:
            if readError(node, named: name, depth: depth) { return }
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
            readField(element, named: name, depth: depth + 1)
        }
    }

    /// Reads an object that describes one error.
    ///
    /// - Returns: Whether it does.
    private mutating func readError(_ node: JSONNode, named name: String?, depth: Int) -> Bool {
        let field = name ?? field(of: node)
        if let message = message(of: node, named: Self.messageNames) {
            add(message, to: field)
            return true
        }
        // The errors of a request of Google are within its details.
        for path in Self.containers {
            guard let container = node.node(at: path), container.kind == .array else { continue }
            readList(container, of: name, depth: depth + 1)
            return true
        }
        guard field != nil, name == nil, let code = message(of: node, named: Self.codeNames) else {
            return false
        }
        add(code, to: field)
        return true
    }

    /// Returns the message in an object that describes one error.
    private func message(of node: JSONNode, named names: [JSONPath]) -> JSONNode? {
        names.lazy.compactMap { node.node(at: $0) }
            .first { $0.kind == .string && !$0.string.isEmpty }
    }

    /// Returns the member that an object with a message refers to.
    private func field(of node: JSONNode, named names: [String] = Self.fieldNames) -> String? {
        let pointer = node.node(at: JSONPath(["source", "pointer"])) ?? node.member("pointer")
        if let pointer, pointer.kind == .string { return name(ofPointer: pointer.string) }
        for name in names {
            guard let value = node.member(name) else { continue }
            switch value.kind {
            // A member that has the message's own name, such as `{"title": "…", "name": "…"}`, is
            // rare enough to be taken for the field.
            case .string: return value.string.isEmpty ? nil : Self.withoutEnvelope(value.string)
            case .array:
                let names = value.elements.compactMap { $0.kind == .string ? $0.string : nil }
                guard !names.isEmpty else { continue }
                return Self.withoutEnvelope(names.joined(separator: "."))
            case .object, .number, .true, .false, .null: continue
            }
        }
        return nil
    }

    /// Returns the name in a pointer, such as `/data/attributes/title` of JSON:API or `#/title` of
    /// RFC 9457; nil for the whole document.
    private func name(ofPointer pointer: String) -> String? {
        let names = pointer.drop { $0 == "#" }.split(separator: "/")
            .map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
            .drop { ["data", "attributes", "relationships"].contains($0) }
        let path = names.last == "data" ? names.dropLast() : names
        return path.isEmpty ? nil : path.joined(separator: ".")
    }

    /// Returns a name without the envelope that is named with it: `data.title` of Kinto,
    /// `body.title` of FastAPI, `Patient.name` of FHIR.
    private static func withoutEnvelope(_ name: String) -> String {
        for envelope in ["data.", "body."] {
            if let rest = name.droppingPrefix(envelope) { return rest }
        }
        guard let dot = name.firstIndex(of: "."), name.first?.isUppercase == true else {
            return name
        }
        let rest = name[name.index(after: dot)...]
        return rest.first?.isLowercase == true ? String(rest) : name
    }

    /// Returns a name without that of the method's parameter, which comes first in ASP.NET, as in
    /// `note.Text`; nil for the whole object.
    private static func withoutParameter(_ name: String) -> String? {
        let path = name.split(separator: ".", maxSplits: 1)
        return path.last.map(String.init)
    }

    private mutating func add(_ node: JSONNode, to name: String?) {
        let text = ServiceMessage.oneLine(secrets.hiding(in: node.string))
        guard !text.isEmpty else { return }
        let shown = name.map { ServiceMessage.oneLine(secrets.hiding(in: $0), limit: 100) }
        errors.add(text, to: shown)
    }
}

/// Where services write what is wrong.
extension Reader {
    /// The members that contain the description of the whole failure.
    fileprivate static let wrappers = ["error", "odata.error", "fault"]

    /// The members that contain the errors of all fields.
    fileprivate static let containers = [
        ["errors"], ["details"], ["detail"], ["invalid-params"], ["invalidParams"],
        ["violations"], ["fieldViolations"], ["fieldErrors"], ["issue"], ["issues"],
        ["errorMessages"], ["writeErrors"],
    ].map(JSONPath.init)

    /// The member that contains the errors of all fields, by the parameter and the field.
    fileprivate static let modelState = "ModelState"

    /// Those that contain the errors of all fields if they are objects, by the name of the field.
    fileprivate static let maps = [["data", "params"], ["message"]].map(JSONPath.init)

    /// The containers within others.
    fileprivate static let nested: Set = ["errors", "issues", "violations", "fieldViolations"]

    /// The members of one error that name the field.
    fileprivate static let fieldNames = [
        "field", "path", "propertyPath", "param", "name", "attribute", "target", "loc", "fields",
        "expression", "location",
    ]

    /// The members that explain a failure, whatever else a document has.
    fileprivate static let explanations = ["detail", "description"]

    /// The members of one error that contain its message, the most specific first.
    fileprivate static let messageNames =
        [["detail"], ["description"]].map(JSONPath.init) + specificNames
        + [["reason"], ["title"], ["error"], ["errors"], ["Message"], ["faultstring"]]
        .map(JSONPath.init)

    /// Those that are hardly the names of fields as well.
    fileprivate static let specificNames = [
        ["diagnostics"], ["details", "text"], ["message"], ["message", "value"],
        ["defaultMessage"], ["msg"], ["errmsg"], ["errorMessage"], ["error_message"],
        ["error_description"],
    ].map(JSONPath.init)

    /// The members of one error that say what is wrong with a field, without a message.
    fileprivate static let codeNames = [["code"], ["type"], ["error"], ["errorCode"]]
        .map(JSONPath.init)

    /// Returns whether a member of a document is never the name of a field.
    fileprivate static func isReserved(_ name: String) -> Bool {
        name == "error" || name == modelState || containers.contains { $0 == JSONPath([name]) }
    }
}
