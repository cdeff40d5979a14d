/// A parameter of a function, initializer or subscript.
struct Parameter {
    /// The label of the argument; nil without one.
    let label: String?

    /// The tokens of the type, such as `[`, `Int`, `]`.
    let type: [String]

    /// Whether the parameter is the access to the database that GRDB passes to a closure.
    var isDatabase: Bool { type.last == "Database" }

    /// Returns the parameters in the first parentheses of a declaration.
    static func all(in head: [Token], isSubscript: Bool) -> [Parameter] {
        var depth = 0
        var parameters: [[String]] = [[]]
        for text in head.lazy.map(\.text).drop(while: { $0 != "(" }) {
            let isClosing = [")", "]", "}", ">"].contains(text)
            if isClosing { depth -= 1 }
            if depth == 0, isClosing { break }
            if depth == 1, text == "," {
                parameters.append([])
            } else if depth > 0 {
                parameters[parameters.count - 1].append(text)
            }
            if ["(", "[", "{", "<"].contains(text) { depth += 1 }
        }
        return parameters.compactMap { Parameter($0, isSubscript: isSubscript) }
    }

    private init?(_ tokens: [String], isSubscript: Bool) {
        guard let colon = tokens.firstIndex(of: ":"), colon > 0 else { return nil }
        // Attributes may precede the label: `@Builder label name: Type`.
        let hasTwoNames =
            colon > 1 && Token(text: tokens[colon - 2], line: 0).isWord
            && (colon == 2 || tokens[colon - 3] != "@")
        let first = tokens[hasTwoNames ? colon - 2 : colon - 1]
        label = first == "_" || isSubscript && !hasTwoNames ? nil : first
        type = Array(tokens[(colon + 1)...].prefix { $0 != "=" })
    }
}
