/// The elements of an array, in order; none of a value that is no array.
@frozen public struct JSONElements: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .array ? node.firstChild : node.next
    }

    /// The next element.
    @inlinable
    public mutating func next() -> JSONNode? {
        guard index < node.next else { return nil }
        let element = node.node(at: index)
        index = element.next
        return element
    }
}

/// The members of an object, in order, repeated names included; none of a value that is no object.
@frozen public struct JSONMembers: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .object ? node.firstChild : node.next
    }

    /// The next member.
    @inlinable
    public mutating func next() -> (name: JSONNode, value: JSONNode)? {
        guard index < node.next else { return nil }
        let name = node.node(at: index)
        let value = node.node(at: index + 1)
        index = value.next
        return (name, value)
    }
}

extension JSONNode {
    /// The elements of an array, in order; none of a value that is no array.
    @inlinable
    public var elements: JSONElements { JSONElements(self) }

    /// The members of an object, in order, repeated names included; none of a value that is no
    /// object.
    @inlinable
    public var members: JSONMembers { JSONMembers(self) }

    /// The value of the member with the given name; of several, the last.
    public func member(_ name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(UnsafeRawBufferPointer($0)) }
    }

    /// The value of the member with the given name in UTF-8; of several, the last.
    public func member(_ name: UnsafeRawBufferPointer) -> JSONNode? {
        var found: JSONNode?
        for member in members where member.name.isString(name) { found = member.value }
        return found
    }

    /// The value at a path of names with dots between them; nil where one is missing.
    ///
    /// ```swift
    /// let city = node.node(at: "profile.address.city")?.string
    /// ```
    public func node(at keyPath: String) -> JSONNode? {
        var node: JSONNode? = self
        for name in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            node = node?.member(String(name))
        }
        return node
    }

    /// Whether it is a string of exactly these bytes, once its escapes are resolved.
    public func isString(_ utf8: UnsafeRawBufferPointer) -> Bool {
        guard kind == .string else { return false }
        guard isComplex else { return text.hasSameBytes(as: utf8) }
        guard utf8.count < text.count else { return false }
        return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { buffer in
            let length = JSONEscapes.resolve(text, into: buffer)
            return UnsafeRawBufferPointer(rebasing: buffer[..<length]).hasSameBytes(as: utf8)
        }
    }
}
