import TidemarkModel

/// A piece of SQL with the values bound in it.
///
/// A text comes in only as a name that is quoted or a fragment of this library; a value only as a
/// question mark.
struct SQLText: ExpressibleByStringInterpolation {
    private(set) var text: String
    private(set) var arguments: [Value] = []

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        arguments = stringInterpolation.arguments
    }

    /// Adds a piece behind.
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

        /// A quoted name, an operator, or a condition of the layout.
        mutating func appendInterpolation(sql: String) {
            text += sql
        }
    }
}

extension [SQLText] {
    /// The pieces with a text between them.
    func joined(by separator: SQLText) -> SQLText {
        guard var result = first else { return "" }
        for piece in dropFirst() {
            result.append(separator)
            result.append(piece)
        }
        return result
    }

    /// The pieces joined so that SQLite's trees stay shallow, however many there are.
    func grouped(by separator: SQLText) -> SQLText {
        let size = 100
        guard count > size else { return joined(by: separator) }
        let groups = stride(from: 0, to: count, by: size).map { start -> SQLText in
            "(\([SQLText](self[start..<Swift.min(start + size, count)]).joined(by: separator)))"
        }
        return groups.grouped(by: separator)
    }
}
