import TidemarkModel

/// The few facts that stand in a document beside its objects: the next page, the count, an error's
/// words.
struct BodyFacts {
    private enum Source {
        case document(JSONDocument)
        case values([[String]: JSONDocument])
    }

    private let source: Source

    /// The facts of a document.
    init(_ document: JSONDocument) {
        source = .document(document)
    }

    /// The facts that were remembered of a document, by their places.
    init(_ values: [[String]: JSONDocument]) {
        source = .values(values)
    }

    /// Whether the document is a list.
    var isArray: Bool { withNode(at: []) { $0.kind == .array } ?? false }

    func string(at path: [String]) -> String? {
        withNode(at: path) { $0.kind == .string ? $0.string : nil }
    }

    /// The text or the number at a path.
    func word(at path: [String]) -> String? {
        withNode(at: path) { $0.word(at: []) }
    }

    func integer(at path: [String]) -> Int? {
        withNode(at: path) { node in
            node.integer.map { Int($0) } ?? (node.kind == .string ? Int(node.string) : nil)
        }
    }

    /// Whether there is a token at a path: a text or an object that is not empty, or a number other
    /// than 0.
    ///
    /// An offset that is a number is a place, and no token.
    func isToken(at path: [String]) -> Bool {
        withNode(at: path) { node in
            switch node.kind {
            case .string: !node.string.isEmpty && (path.last != "offset" || Int(node.string) == nil)
            case .number: path.last != "offset" && node.integer.map { $0 > 0 } ?? false
            case .object: node.members.first { _ in true } != nil
            case .array, .true, .false, .null: false
            }
        } ?? false
    }

    func boolean(at path: [String]) -> Bool? {
        withNode(at: path) { $0.boolean }
    }

    /// Whether a document is known to have nothing at a path.
    func lacks(_ path: [String]) -> Bool {
        switch source {
        case .document: !has(path)
        case .values: false
        }
    }

    /// Whether there is a value at a path, `null` included.
    func has(_ path: [String]) -> Bool {
        withNode(at: path) { _ in true } ?? false
    }

    /// The path of a member that its object has twice, among those that contain a list or say
    /// something about it; nil without one.
    ///
    /// Source: RFC 8259, 4: which of two members of one name counts is unpredictable.
    func repeatedMember(around list: [String]) -> String? {
        guard !list.isEmpty else { return nil }
        return withNode(at: []) { root in
            for place in ListRecognition.Places.containers(of: list) {
                guard let object = root.node(at: place), object.kind == .object else { continue }
                var seen: Set<String> = []
                for (name, _) in object.members {
                    let name = name.string
                    guard list.contains(name) || ListRecognition.Places.names.contains(name),
                        !seen.insert(name).inserted
                    else { continue }
                    return (place + [name]).joined(separator: ".")
                }
            }
            return nil
        }
    }

    /// The link at a path; none where nothing is there.
    ///
    /// The path may also be one name with dots, such as `@odata.nextLink`.
    func link(at path: [String]) -> PageLink {
        withNode(at: path) { $0.pageLink }
            ?? withNode(at: [path.joined(separator: ".")]) { $0.pageLink } ?? .none
    }

    /// The next page's link in a list of links with relations; nil where there is no such list.
    func relation(at path: [String]) -> PageLink? {
        withNode(at: path) { node in
            let isList =
                node.kind == .array
                && node.elements.contains { $0.kind == .object && $0.member("rel") != nil }
            return isList ? node.pageLink : nil
        }
    }

    /// The strings in the value at a path, those nested in arrays and objects included, a few of
    /// them.
    func strings(at path: [String]) -> [String] {
        withNode(at: path) { node in
            var found: [String] = []
            Self.gather(node, name: nil, depth: 0, into: &found)
            return found
        } ?? []
    }

    private func withNode<Result>(
        at path: [String],
        _ body: (JSONNode) -> Result?
    ) -> Result? {
        switch source {
        case .values(let values):
            for length in stride(from: path.count, through: 1, by: -1) {
                guard let value = values[Array(path.prefix(length))] else { continue }
                return value.withRoot { $0.node(at: Array(path.dropFirst(length))).flatMap(body) }
            }
            return nil
        case .document(let document):
            return document.withRoot { $0.node(at: path).flatMap(body) }
        }
    }

    private static func gather(
        _ node: JSONNode,
        name: String?,
        depth: Int,
        into found: inout [String]
    ) {
        guard found.count < 5, depth < 5 else { return }
        switch node.kind {
        case .string: found.append(name.map { "\($0): \(node.string)" } ?? node.string)
        case .array:
            for element in node.elements {
                gather(element, name: name, depth: depth + 1, into: &found)
            }
        case .object:
            for (name, value) in node.members {
                gather(value, name: name.string, depth: depth + 1, into: &found)
            }
        case .number, .true, .false, .null: break
        }
    }
}
