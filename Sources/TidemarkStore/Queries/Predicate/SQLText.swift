import TidemarkModel

/// A fragment of SQL with the values that are bound to its parameters.
///
/// To exclude SQL injection, a value can only be inserted as a parameter. Only quoted names and
/// fragments of this library are inserted as text.
struct SQLText: ExpressibleByStringInterpolation {
    private(set) var text: String
    private(set) var arguments: [Value] = []

    /// Creates a fragment that an app has written.
    init(text: String, arguments: [Value]) {
        self.text = text
        self.arguments = arguments
    }

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        arguments = stringInterpolation.arguments
    }

    /// Appends a fragment.
    mutating func append(_ other: SQLText) {
        text += other.text
        arguments += other.arguments
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var arguments: [Value] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        mutating func appendInterpolation(_ value: Value) {
            text += "?"
            arguments.append(value)
        }

        mutating func appendInterpolation(_ sql: SQLText) {
            text += sql.text
            arguments += sql.arguments
        }

        /// Inserts a quoted name, an operator, or a condition from the layout.
        mutating func appendInterpolation(sql: String) {
            text += sql
        }
    }
}

extension [SQLText] {
    /// Returns the fragments, joined by a separator.
    func joined(by separator: SQLText) -> SQLText {
        guard var result = first else { return "" }
        for piece in dropFirst() {
            result.append(separator)
            result.append(piece)
        }
        return result
    }

    /// Returns the fragments, joined in nested groups, because SQLite limits the depth of
    /// expressions to 1,000 by default.
    func grouped(by separator: SQLText) -> SQLText {
        let size = 100
        guard count > size else { return joined(by: separator) }
        let groups = stride(from: 0, to: count, by: size).map { start -> SQLText in
            "(\([SQLText](self[start..<Swift.min(start + size, count)]).joined(by: separator)))"
        }
        return groups.grouped(by: separator)
    }
}
