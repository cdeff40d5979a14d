/// A path of member names that leads from a JSON value to a value within it.
///
/// Its text form has dots between the names. Unlike the `remoteKey` of a model, a path leads
/// through objects only: a number is the name of a member, not the index of an element.
///
/// ```swift
/// let city = node.node(at: "profile.address.city")?.string
/// let link = node.node(at: ["@odata.nextLink"])   // one name that contains a dot
/// ```
public struct JSONPath: Hashable, Sendable {
    /// The names, outermost first; empty for the value itself.
    public var names: [String]

    /// Creates a path of the given names, which may contain dots.
    ///
    /// Without names, it is the empty path, which leads to the value itself.
    ///
    /// ```swift
    /// let meta = ["meta", "page.count"]
    /// let path = JSONPath(meta)
    /// print(path.names.count)   // 2
    /// ```
    public init(_ names: [String] = []) {
        self.names = names
    }

    /// Parses the text form; an empty text is the empty path.
    ///
    /// Every dot separates two names. Pass an array of names if one of them contains a dot.
    ///
    /// ```swift
    /// let path = JSONPath(CommandLine.arguments[1])   // "data.items" has the names data and items
    /// ```
    public init(_ text: String) {
        names =
            text.isEmpty
            ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the path leads to the value itself.
    public var isEmpty: Bool { names.isEmpty }

    /// Returns the path of the first `count` names.
    package func prefix(_ count: Int) -> JSONPath { JSONPath(Array(names.prefix(count))) }

    /// Returns the path of a member of the value at this path.
    package func appending(_ name: String) -> JSONPath { JSONPath(names + [name]) }
}

extension JSONPath: CustomStringConvertible {
    /// The names with dots between them.
    ///
    /// Parsing it results in an equal path unless a name contains a dot, or the only name is empty.
    public var description: String { names.joined(separator: ".") }
}

extension JSONPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Parses a text such as `"address.city"`, so that a path can be written as a literal.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates a path of the given names, so that a path can be written as an array literal.
    public init(arrayLiteral names: String...) { self.init(names) }
}

extension JSONNode {
    /// Returns the value at a path.
    ///
    /// Use it to read a nested value without checking each level. Of several members with one name,
    /// the last is used.
    ///
    /// ```swift
    /// let document = try JSONDocument(Array(#"{"meta": {"page": {"total": 42}}}"#.utf8))
    /// let total = document.withRoot { $0.node(at: "meta.page.total")?.integer }   // 42
    /// ```
    ///
    /// - Parameter path: The names of the members, outermost first. The empty path returns this
    ///   value.
    /// - Returns: The value, which may be null; nil if a member is missing, or the path leads
    ///   through a value that is not an object.
    public func node(at path: JSONPath) -> JSONNode? {
        var node = self
        for name in path.names {
            guard let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }
}
