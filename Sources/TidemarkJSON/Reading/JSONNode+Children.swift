/// The elements of an array, in order; empty for a value that is not an array.
@usableFromInline @frozen package struct JSONElements: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .array ? node.firstChild : node.next
    }

    /// Returns the next element, or nil after the last.
    @inlinable
    package mutating func next() -> JSONNode? {
        guard index < node.next else { return nil }
        let element = node.node(at: index)
        index = element.next
        return element
    }
}

/// The members of an object, in order, including repeated names.
///
/// Empty for a value that is not an object.
@usableFromInline @frozen package struct JSONMembers: Sequence, IteratorProtocol {
    @usableFromInline let node: JSONNode
    @usableFromInline var index: Int

    @inlinable
    init(_ node: JSONNode) {
        self.node = node
        index = node.kind == .object ? node.firstChild : node.next
    }

    /// Returns the next member, or nil after the last.
    @inlinable
    package mutating func next() -> (name: JSONNode, value: JSONNode)? {
        guard index < node.next else { return nil }
        let name = node.node(at: index)
        let value = node.node(at: index + 1)
        index = value.next
        return (name, value)
    }
}

extension JSONNode {
    /// The elements of an array, in order; empty for a value that is not an array.
    ///
    /// The time is proportional to the number of elements that are read: those nested within an
    /// element are skipped in one step.
    ///
    /// ```swift
    /// let names = node.member("tags")?.elements.map(\.string) ?? []   // ["a", "b"]
    /// ```
    @inlinable
    public var elements: some Sequence<JSONNode> { JSONElements(self) }

    /// The members of an object, in order, including repeated names.
    ///
    /// Empty for a value that is not an object. Use ``member(_:)`` to look up a single one.
    ///
    /// ```swift
    /// for (name, value) in node.members where value.kind != .null {
    ///     print("\(name.string) = \(value.string)")
    /// }
    /// ```
    @inlinable
    public var members: some Sequence<(name: JSONNode, value: JSONNode)> { JSONMembers(self) }

    /// Returns the value of the member with the given name, or of the last one if the name is
    /// repeated.
    ///
    /// RFC 8259, section 4, leaves open what a repeated name means; most parsers use the last
    /// value. Names are compared by their UTF-8 bytes after escapes are resolved, so `"\u0061"` is
    /// found as `a`. The search takes time proportional to the number of members.
    ///
    /// ```swift
    /// let title = node.member("title")?.string ?? "untitled"
    /// ```
    ///
    /// - Parameter name: The name of one member, which may contain dots. For a path through nested
    ///   objects, use ``node(at:)``.
    /// - Returns: The value, which may be null; nil if there is no such member, or the value is not
    ///   an object.
    public func member(_ name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the value of the member with the given name in UTF-8, or of the last one if the name
    /// is repeated.
    ///
    /// Returns nil if there is no such member.
    package func member(_ name: UnsafeRawBufferPointer) -> JSONNode? {
        var found: JSONNode?
        for member in members where member.name.isString(name) { found = member.value }
        return found
    }

    /// Returns whether this is a string that equals the given bytes after its escapes are resolved.
    package func isString(_ utf8: UnsafeRawBufferPointer) -> Bool {
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
