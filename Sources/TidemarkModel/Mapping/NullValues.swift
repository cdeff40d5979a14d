package import TidemarkJSON

/// The values that a model treats as null, such as `n/a` or `0`.
package struct NullValues: Sendable {
    private let texts: [[UInt8]]

    /// Whether the list is empty, so that only null itself is null.
    package var isEmpty: Bool { texts.isEmpty }

    /// Creates a list from the null values of an attribute or a relationship.
    package init(_ texts: [String]) {
        self.texts = texts.map { Array($0.utf8) }
    }

    /// Returns whether a value is in the list.
    ///
    /// Numbers are compared by their text.
    package func contains(_ node: JSONNode, in arena: ValueArena) -> Bool {
        guard !texts.isEmpty, node.kind != .object, node.kind != .array else { return false }
        let text = Scalar(node, in: arena).bytes
        return texts.contains { value in value.withUnsafeBytes { $0.hasSameBytes(as: text) } }
    }
}
