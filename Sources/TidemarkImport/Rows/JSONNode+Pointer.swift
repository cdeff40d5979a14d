import TidemarkJSON
import TidemarkModel

/// Objects that refer to a row instead of describing one: Parse's typed values.
extension JSONNode {
    /// The key in a pointer, `{"__type":"Pointer","className":"Team","objectId":"aK3"}`; nil if the
    /// value is not a pointer.
    var pointerKey: JSONNode? {
        isTyped("Pointer", memberCount: 3) ? member("objectId") : nil
    }

    /// Whether the value is `{"__type":"Relation","className":"Team"}`, which does not contain its
    /// members.
    var isRelation: Bool {
        isTyped("Relation", memberCount: 2)
    }

    /// Returns whether the value is an object of a type that has exactly these members.
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
