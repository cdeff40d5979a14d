/// A path of member names that leads from a JSON value to a value within it.
///
/// Its text form has dots between the names. A name that contains a dot is in quotation marks. In
/// an array, a number is the index of an element, from 0.
///
/// ```swift
/// let city = node.node(at: "profile.address.city")?.string
/// let first = node.node(at: "rows.0")             // the first element of the array `rows`
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
    /// Dots separate the names. A name in quotation marks may contain dots, and two quotation marks
    /// for one of its own.
    ///
    /// ```swift
    /// let path = JSONPath(CommandLine.arguments[1])   // "data.items" has the names data and items
    /// let tag = JSONPath("meta.\"@odata.etag\"")      // meta and @odata.etag
    /// ```
    public init(_ text: String) {
        names = []
        var rest = text[...]
        guard !rest.isEmpty else { return }
        while true {
            names.append(Self.takeName(from: &rest))
            guard rest.first == "." else { return }
            rest.removeFirst()
        }
    }

    /// Takes the first name from the text of a path, up to a dot or the end.
    package static func takeName(from rest: inout Substring) -> String {
        if rest.first == "\"", let (name, end) = quotedName(rest.dropFirst()) {
            rest = rest[end...]
            return name
        }
        let name = rest.prefix { $0 != "." }
        rest = rest[name.endIndex...]
        return String(name)
    }

    /// Reads a name up to its closing quotation mark, which only a dot or the end may follow.
    private static func quotedName(_ text: Substring) -> (name: String, end: Substring.Index)? {
        var (name, rest) = ("", text)
        while let character = rest.popFirst() {
            guard character == "\"" else {
                name.append(character)
                continue
            }
            if rest.first == "\"" {
                name.append(rest.removeFirst())
            } else {
                return rest.isEmpty || rest.first == "." ? (name, rest.startIndex) : nil
            }
        }
        return nil
    }

    /// Whether the path leads to the value itself.
    public var isEmpty: Bool { names.isEmpty }

    /// Returns the path of the first `count` names.
    package func prefix(_ count: Int) -> JSONPath { JSONPath(Array(names.prefix(count))) }

    /// Returns the path of a member of the value at this path.
    package func appending(_ name: String) -> JSONPath { JSONPath(names + [name]) }
}

extension JSONPath: CustomStringConvertible {
    /// The names with dots between them, in quotation marks where that is necessary.
    ///
    /// Parsing it results in an equal path.
    public var description: String { names.map(Self.text).joined(separator: ".") }

    /// Returns the text of a path with one name, which is in quotation marks if that is necessary.
    package static func text(of name: String) -> String {
        guard name.contains(".") || name.isEmpty || name.hasPrefix("\"") else { return name }
        return "\"\(name.replacing("\"", with: "\"\""))\""
    }
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
    /// - Parameter path: The names of the members and the indexes of the elements, outermost first.
    ///   The empty path returns this value.
    /// - Returns: The value, which may be null; nil if a member or an element is missing, or the
    ///   path leads through a value that is neither an object nor an array.
    public func node(at path: JSONPath) -> JSONNode? {
        var node = self
        for name in path.names {
            guard let inner = node.child(name) else { return nil }
            node = inner
        }
        return node
    }

    /// Returns the member of an object with a name, or the element of an array at that index.
    func child(_ name: String) -> JSONNode? {
        guard kind == .array else { return member(name) }
        guard let index = JSONPath.index(name) else { return nil }
        return elements.dropFirst(index).first { _ in true }
    }
}

extension JSONPath {
    /// Returns the index of an element that a name is in an array; nil for any other name.
    package static func index(_ name: String) -> Int? {
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(name)
    }
}
