import Foundation
import TidemarkModel

/// Swift code as text.
enum SwiftText {
    /// The longest line.
    static let width = 100

    /// Returns a call, with an argument on each line if one line is too narrow.
    ///
    /// - Parameters:
    ///   - name: What is called.
    ///   - arguments: Its arguments.
    ///   - indent: The number of spaces before the line.
    ///   - following: The number of characters after the call.
    /// - Returns: The call, whose first line has no indent.
    static func call(
        _ name: String,
        _ arguments: [SwiftArgument],
        indent: Int,
        following: Int = 0
    ) -> String {
        let line = "\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
        guard indent + line.count + following > width else { return line }
        let margin = String(repeating: " ", count: indent)
        let lines = arguments.map { $0.lines(indent: indent + 4) }.joined(separator: ",\n")
        return "\(name)(\n\(lines)\n\(margin))"
    }

    /// Returns a string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                // Characters that an editor does not show, or that change the direction of text.
                if scalar.properties.generalCategory.isVisible {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return result + "\""
    }

    static func literal(_ texts: [String]) -> String {
        "[\(texts.map { literal($0) }.joined(separator: ", "))]"
    }

    /// Returns a dictionary literal, in the order of its keys.
    static func literal(_ texts: [String: String]) -> String {
        let pairs = texts.sorted { $0.key < $1.key }
            .map { "\(literal($0.key)): \(literal($0.value))" }
        return "[\(pairs.joined(separator: ", "))]"
    }

    /// Returns an expression for a number; one that is not finite has a name.
    static func literal(_ number: Double) -> String {
        if number.isNaN { return ".nan" }
        guard number.isFinite else { return number < 0 ? "-.infinity" : ".infinity" }
        return "\(number)"
    }

    /// Returns an expression for a value of a model.
    static func literal(_ value: Value) -> String {
        switch value {
        case .null: ".null"
        case .integer(let number): ".integer(\(number))"
        case .double(let number): ".double(\(literal(number)))"
        case .boolean(let flag): ".boolean(\(flag))"
        case .decimal(let text): ".decimal(\(literal(text)))"
        case .string(let text): ".string(\(literal(text)))"
        case .date(let seconds): ".date(\(literal(seconds)))"
        case .uuid(let text): ".uuid(\(literal(text)))"
        case .uri(let text): ".uri(\(literal(text)))"
        case .binary(let bytes): ".binary(\(bytes))"
        case .json(let text): ".json(\(literal(text)))"
        }
    }

    /// Returns the identifier of a declaration, with backticks if it is a word of the language.
    static func identifier(_ name: String) -> String {
        isKeyword(name) ? "`\(name)`" : name
    }

    /// Returns whether a name is a word of the language.
    static func isKeyword(_ name: String) -> Bool { keywords.contains(name) }

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "var", "where", "while", "Any", "Self",
    ]
}

extension Unicode.GeneralCategory {
    fileprivate var isVisible: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default: true
        }
    }
}
