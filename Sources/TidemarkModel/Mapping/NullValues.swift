/// Texts and numbers that a model reads as null, such as `n/a` or `0`.
package struct NullValues: Sendable {
    private let texts: [[UInt8]]

    /// Whether the list is empty: only null itself is null then.
    package var isEmpty: Bool { texts.isEmpty }

    /// Takes the values of an attribute or a relationship.
    package init(_ texts: [String]) {
        self.texts = texts.map { Array($0.utf8) }
    }

    /// Whether a value is one of them; numbers are compared as they are written.
    package func contains(_ node: JSONNode, in arena: ValueArena) -> Bool {
        guard !texts.isEmpty, node.kind != .object, node.kind != .array else { return false }
        let text = Scalar(node, in: arena).bytes
        return texts.contains { value in value.withUnsafeBytes { $0.hasSameBytes(as: text) } }
    }
}
