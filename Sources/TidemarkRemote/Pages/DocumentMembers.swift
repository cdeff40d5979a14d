import TidemarkJSON
import TidemarkModel

/// The members of a document outside its objects: the next page, the total, the message of an
/// error.
struct DocumentMembers {
    private enum Source {
        case document(JSONDocument)
        case values([JSONPath: JSONDocument])
    }

    private let source: Source

    /// The members of a response without a body.
    static var none: DocumentMembers { DocumentMembers([:]) }

    /// Creates the members of a complete document.
    init(_ document: JSONDocument) {
        source = .document(document)
    }

    /// Creates the members of a streamed document from the values that its reader remembered, by
    /// their paths.
    init(_ values: [JSONPath: JSONDocument]) {
        source = .values(values)
    }

    /// Whether the document is an array.
    var isArray: Bool { withNode(at: []) { $0.kind == .array } ?? false }

    /// Returns the string or the number at a path, as text.
    func text(at path: [String]) -> String? {
        withNode(at: path) { $0.text(at: []) }
    }

    func integer(at path: [String]) -> Int? {
        withNode(at: path) { node in
            node.integer.map { Int($0) } ?? (node.kind == .string ? Int(node.string) : nil)
        }
    }

    /// Returns whether the value at a path is a token: a nonempty string or object, or a number
    /// greater than 0.
    ///
    /// A numeric `offset` is not a token, but a number of objects.
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

    /// Returns whether the document is known to have no value at a path.
    ///
    /// For a streamed document, whose other members were not remembered, this is false.
    func lacks(_ path: [String]) -> Bool {
        switch source {
        case .document: !has(path)
        case .values: false
        }
    }

    /// Returns whether there is a value at a path, including `null`.
    func has(_ path: [String]) -> Bool {
        withNode(at: path) { _ in true } ?? false
    }

    /// Returns the path of a duplicate member in the objects that contain the list or describe it;
    /// nil without one.
    ///
    /// Source: RFC 8259, 4: the meaning of duplicate names is unpredictable.
    func repeatedMember(around list: [String]) -> String? {
        guard !list.isEmpty else { return nil }
        return withNode(at: []) { root in
            for path in PaginationEvidence.Names.containers(of: list) {
                guard let object = root.node(at: JSONPath(path)), object.kind == .object else {
                    continue
                }
                var seen: Set<String> = []
                for (name, _) in object.members {
                    let name = name.string
                    guard list.contains(name) || PaginationEvidence.Names.all.contains(name),
                        !seen.insert(name).inserted
                    else { continue }
                    return (path + [name]).joined(separator: ".")
                }
            }
            return nil
        }
    }

    /// Returns the link at a path; `.none` if there is no value.
    ///
    /// The path may also be a single name that contains dots, such as `@odata.nextLink`.
    func link(at path: [String]) -> NextLink {
        withNode(at: path) { NextLink($0) }
            ?? withNode(at: [path.joined(separator: ".")]) { NextLink($0) } ?? .none
    }

    /// Returns the link to the next page from an array of links with relations; nil if there is no
    /// such array at the path.
    func relation(at path: [String]) -> NextLink? {
        withNode(at: path) { node in
            let isList =
                node.kind == .array
                && node.elements.contains { $0.kind == .object && $0.relation != nil }
            return isList ? NextLink(node) : nil
        }
    }

    /// Returns the first few strings of the value at a path, including those nested in arrays and
    /// objects.
    func strings(at path: [String]) -> [String] {
        withNode(at: path) { node in
            var found: [String] = []
            Self.gather(node, into: &found)
            return found
        } ?? []
    }

    /// A member that is neither an object nor an array.
    enum Scalar: CustomStringConvertible {
        case text(String)
        case number(Int?)
        case flag(Bool)

        /// Whether a value that leads on does so: not an empty text, 0, false or null.
        var mayLeadOn: Bool {
            switch self {
            case .text(let text): !["", "0", "false", "null", "none"].contains(text.lowercased())
            case .number(let number): number.map { $0 > 0 } ?? true
            case .flag(let flag): flag
            }
        }

        /// The number, also of a text that is one.
        var integer: Int? {
            switch self {
            case .text(let text): Int(text)
            case .number(let number): number
            case .flag: nil
            }
        }

        /// The text, if it is a link.
        var link: String? {
            guard case .text(let text) = self, text.isURLReference else { return nil }
            return text
        }

        var description: String {
            switch self {
            case .text(let text): "\"\(text)\""
            case .number(let number): number.map { "\($0)" } ?? "a number"
            case .flag(let flag): "\(flag)"
            }
        }

        fileprivate init?(_ node: JSONNode) {
            switch node.kind {
            case .string: self = .text(node.string)
            case .number: self = .number(node.integer.map { Int($0) })
            case .true, .false: self = .flag(node.kind == .true)
            case .object, .array, .null: return nil
            }
        }
    }

    /// Returns the members of an object that are neither objects nor arrays, by their names if the
    /// document was streamed.
    func scalars(in container: [String]) -> [(name: String, value: Scalar)] {
        switch source {
        case .values(let values):
            return values.compactMap { path, value in
                guard path.names.count == container.count + 1, path.names.starts(with: container),
                    let name = path.names.last
                else { return nil }
                return value.withRoot { Scalar($0) }.map { (name, $0) }
            }
            .sorted { $0.name < $1.name }
        case .document:
            return withNode(at: container) { node in
                guard node.kind == .object else { return [] }
                return node.members.compactMap { name, value in
                    Scalar(value).map { (name.string, $0) }
                }
            } ?? []
        }
    }

    /// Returns the links in an object or an array of links, also in their `href` or similar.
    func links(in container: [String]) -> [String] {
        withNode(at: container) { node in
            var found: [String] = []
            Self.gatherLinks(node, into: &found)
            return found
        } ?? []
    }

    private func withNode<Result>(
        at path: [String],
        _ body: (JSONNode) -> Result?
    ) -> Result? {
        switch source {
        case .values(let values):
            // The longest prefix first: a remembered value may contain the values at longer paths.
            for length in stride(from: path.count, through: 1, by: -1) {
                guard let value = values[JSONPath(Array(path.prefix(length)))] else { continue }
                let rest = JSONPath(Array(path.dropFirst(length)))
                return value.withRoot { $0.node(at: rest).flatMap(body) }
            }
            return nil
        case .document(let document):
            return document.withRoot { $0.node(at: JSONPath(path)).flatMap(body) }
        }
    }

    private static func gatherLinks(_ node: JSONNode, depth: Int = 0, into found: inout [String]) {
        guard found.count < 20, depth < 4 else { return }
        switch node.kind {
        case .string where node.string.isURLReference: found.append(node.string)
        case .array:
            for element in node.elements { gatherLinks(element, depth: depth + 1, into: &found) }
        case .object:
            for (_, value) in node.members { gatherLinks(value, depth: depth + 1, into: &found) }
        case .string, .number, .true, .false, .null: break
        }
    }

    private static func gather(
        _ node: JSONNode,
        name: String? = nil,
        depth: Int = 0,
        into found: inout [String]
    ) {
        // A bound, because the document of an error is untrusted and may be large.
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
