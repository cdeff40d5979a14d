import TidemarkModel

/// The few facts that stand in a document beside its objects: the next page, the count, an error's
/// words.
struct BodyFacts {
    private let document: JSONDocument

    init(_ document: JSONDocument) {
        self.document = document
    }

    /// Whether the document is a list.
    var isArray: Bool { document.withRoot { $0.kind == .array } }

    func string(at path: [String]) -> String? {
        withNode(at: path) { $0.kind == .string ? $0.string : nil }
    }

    func integer(at path: [String]) -> Int? {
        withNode(at: path) { $0.integer.map { Int($0) } }
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
        document.withRoot { root in
            var node = root
            for key in path {
                guard node.kind == .object, let member = node.member(key) else { return nil }
                node = member
            }
            return body(node)
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
