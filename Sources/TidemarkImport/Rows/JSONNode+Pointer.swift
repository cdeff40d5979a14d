import TidemarkModel

/// Objects that do not say what a row is like, but which row is meant: Parse's typed values.
extension JSONNode {
    /// The key in a pointer, `{"__type":"Pointer","className":"Team","objectId":"aK3"}`; nil where
    /// the value is none.
    var pointerKey: JSONNode? {
        isTyped("Pointer", memberCount: 3) ? member("objectId") : nil
    }

    /// Whether it is `{"__type":"Relation","className":"Team"}`, which does not say whose members
    /// there are.
    var isRelation: Bool {
        isTyped("Relation", memberCount: 2)
    }

    /// Whether it is an object of a type and of no more members.
    private func isTyped(_ type: StaticString, memberCount: Int) -> Bool {
        guard kind == .object else { return false }
        var count = 0
        var hasType = false
        for (name, value) in members {
            count += 1
            guard count <= memberCount else { return false }
            hasType = hasType || (name.isString("__type") && value.isString(type))
        }
        return hasType
    }

    private func isString(_ text: StaticString) -> Bool {
        isString(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
