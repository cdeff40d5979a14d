/// A path of member names that leads from a JSON value to a value within it.
///
/// Its text form has dots between the names.
///
/// ```swift
/// let city = node.node(at: "profile.address.city")?.string
/// let link = node.node(at: ["@odata.nextLink"])   // one name that contains a dot
/// ```
public struct JSONPath: Hashable, Sendable {
    /// The names, outermost first; empty for the value itself.
    public var names: [String]

    /// Creates a path of the given names.
    public init(_ names: [String] = []) {
        self.names = names
    }

    /// Parses the text form; an empty text is the empty path.
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
    public var description: String { names.joined(separator: ".") }
}

extension JSONPath: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// Parses a text such as `"address.city"`.
    public init(stringLiteral text: String) { self.init(text) }

    /// Creates a path of the given names.
    public init(arrayLiteral names: String...) { self.init(names) }
}

extension JSONNode {
    /// Returns the value at a path; nil if a member is missing, or the path leads through a value
    /// that is not an object.
    ///
    /// Of several members with one name, the last is used.
    public func node(at path: JSONPath) -> JSONNode? {
        var node = self
        for name in path.names {
            guard let member = node.member(name) else { return nil }
            node = member
        }
        return node
    }
}
