/// The elements of an array, in order; empty for a value that is not an array.
@frozen public struct JSONElements: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .array ? node.firstChild : node.next
    }

    /// Returns the next element, or nil after the last.
    @inlinable
    public mutating func next() -> JSONNode? {
        guard index < node.next else { return nil }
        let element = node.node(at: index)
        index = element.next
        return element
    }
}

/// The members of an object, in order, including repeated names.
///
/// Empty for a value that is not an object.
@frozen public struct JSONMembers: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .object ? node.firstChild : node.next
    }

    /// Returns the next member, or nil after the last.
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
    /// The elements of an array, in order; empty for a value that is not an array.
    @inlinable
    public var elements: JSONElements { JSONElements(self) }

    /// The members of an object, in order, including repeated names.
    ///
    /// Empty for a value that is not an object.
    @inlinable
    public var members: JSONMembers { JSONMembers(self) }

    /// Returns the value of the member with the given name, or of the last one if the name is
    /// repeated.
    ///
    /// Returns nil if there is no such member.
    public func member(_ name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the value of the member with the given name in UTF-8, or of the last one if the name
    /// is repeated.
    ///
    /// Returns nil if there is no such member.
    public func member(_ name: UnsafeRawBufferPointer) -> JSONNode? {
        var found: JSONNode?
        for member in members where member.name.isString(name) { found = member.value }
        return found
    }

    /// Returns the value at a key path, with dots between the names; nil if a member is missing.
    ///
    /// ```swift
    /// let city = node.node(at: "profile.address.city")?.string
    /// ```
    public func node(at keyPath: String) -> JSONNode? {
        node(at: keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }

    /// Returns the value at a path of member names; nil if a member is missing.
    package func node(at path: [String]) -> JSONNode? {
        var node = self
        for name in path {
            guard let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }

    /// Returns whether this is a string that equals the given bytes after its escapes are resolved.
    public func isString(_ utf8: UnsafeRawBufferPointer) -> Bool {
        guard kind == .string else { return false }
        guard isComplex else { return text.hasSameBytes(as: utf8) }
        // Every escape is longer than what it denotes.
        guard utf8.count < text.count else { return false }
        return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { buffer in
            let length = JSONEscapes.resolve(text, into: buffer)
            return UnsafeRawBufferPointer(rebasing: buffer[..<length]).hasSameBytes(as: utf8)
        }
    }
}
