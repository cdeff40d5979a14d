/// A declaration of a type, a function, a property or a case, at any depth of a file.
struct Declaration: Sendable {
    let keyword: String

    /// The name as declared; that of a type is preceded by the types around it, such as `A.B`.
    let name: String

    /// The modifiers, such as `public` and `static`, without their arguments.
    let modifiers: Set<String>

    /// The first line, which may begin with an attribute; counted from 0, as all lines.
    let start: Int

    /// The line of the keyword.
    let line: Int

    /// The tokens after the keyword, until the body.
    var head: [Token] = []

    /// The lines from the opening to the closing brace; nil without a body.
    var body: ClosedRange<Int>?

    /// The first word of the body.
    var opening: String?

    /// The position in the outline of the declaration around this one.
    let owner: Int?

    var isType: Bool { Self.types.contains(keyword) }

    var isFunction: Bool { ["func", "init", "subscript"].contains(keyword) }

    /// Whether the name of the function is an operator.
    var isOperator: Bool { keyword == "func" && name.utf8.first.map(Token.isWord) == false }

    var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }

    /// Whether it is a type or an extension.
    var hasMembers: Bool { isType || keyword == "extension" }

    var isProperty: Bool { keyword == "let" || keyword == "var" }

    /// Whether the property has storage; one with `willSet` or `didSet` has.
    var isStored: Bool {
        guard isProperty else { return false }
        return opening == nil || head.contains { $0.text == "=" }
            || ["willSet", "didSet"].contains(opening)
    }

    /// The number of lines from the keyword to the closing brace.
    var lineCount: Int { (body?.upperBound ?? line) - line + 1 }

    /// Whether a function is asynchronous, as it says after its parameters.
    var isAsync: Bool { head.reversed().prefix { $0.text != ")" }.contains { $0.text == "async" } }

    /// The parameters of a function.
    var parameters: [Parameter] { Parameter.all(in: head, isSubscript: keyword == "subscript") }

    /// The unlabelled parameters of a function, except for its access to the database.
    var unlabelled: [Parameter] { parameters.filter { $0.label == nil && !$0.isDatabase } }

    static let types: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
}
