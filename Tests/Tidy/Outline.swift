/// The declarations of a file, found without a compiler: a reader of keywords and braces.
struct Outline: Sendable {
    private(set) var declarations: [Declaration] = []

    private var tokens: [Token]
    private var scopes = [Scope()]

    /// What is between two braces, or the whole file.
    private struct Scope {
        /// The declaration that the braces belong to.
        var owner: Int?

        /// Whether the braces are the body of the owner, and not a closure in its head.
        var isBody = false

        /// The latest declaration in this scope: the next braces belong to it.
        var latest: Int?

        /// The first token after the name of the latest declaration, until its head ends.
        var head: Int?

        /// The number of open parentheses and brackets.
        var depth = 0
    }

    /// Reads code without comments and literals.
    init(_ code: [UInt8]) {
        tokens = Token.all(in: code)
        for position in tokens.indices { read(position) }
        endHead(at: tokens.count)
        tokens = []
    }

    /// The types at any depth.
    var types: [Declaration] { declarations.filter(\.isType) }

    /// The functions, initializers and subscripts, without operators.
    var functions: [Declaration] { declarations.filter { $0.isFunction && !$0.isOperator } }

    /// What has a body of statements.
    var bodies: [Declaration] {
        declarations.filter { $0.body != nil && ($0.isFunction || $0.keyword == "deinit") }
    }

    /// Returns the type or extension that a declaration is a member of; nil if it is local.
    func type(around declaration: Declaration) -> Declaration? {
        declaration.owner.map { declarations[$0] }.flatMap { $0.hasMembers ? $0 : nil }
    }

    private mutating func read(_ position: Int) {
        let last = scopes.count - 1
        switch tokens[position].text {
        case "{": open(at: position)
        case "}": close(at: position)
        case "(", "[": scopes[last].depth += 1
        case ")", "]": scopes[last].depth -= 1
        default:
            guard scopes[last].depth == 0, isDeclaration(position) else { return }
            let first = start(ofDeclaration: position)
            endHead(at: first)
            scopes[last].latest = declarations.count
            scopes[last].head = position + 1
            declarations.append(declaration(position, from: first, owner: scopes[last].owner))
        }
    }

    private mutating func open(at position: Int) {
        let scope = scopes[scopes.count - 1]
        let isBody = scope.depth == 0 && scope.head != nil
        var owner = scope.owner
        if let latest = scope.latest, scope.head != nil || declarations[latest].isProperty {
            owner = latest
        }
        if isBody, let latest = scope.latest {
            endHead(at: position)
            declarations[latest].opening =
                position + 1 < tokens.count ? tokens[position + 1].text : ""
            declarations[latest].body = tokens[position].line...tokens[position].line
        }
        scopes.append(Scope(owner: owner, isBody: isBody))
    }

    private mutating func close(at position: Int) {
        guard scopes.count > 1 else { return }
        endHead(at: position)
        let scope = scopes.removeLast()
        if scope.isBody, let owner = scope.owner, let body = declarations[owner].body {
            declarations[owner].body = body.lowerBound...tokens[position].line
        }
    }

    private mutating func endHead(at position: Int) {
        let last = scopes.count - 1
        guard let latest = scopes[last].latest, let head = scopes[last].head else { return }
        declarations[latest].head = Array(tokens[min(head, position)..<position])
        scopes[last].head = nil
    }

    private func declaration(_ position: Int, from start: Int, owner: Int?) -> Declaration {
        let keyword = tokens[position].text
        var name = Self.named.contains(keyword) ? tokens[position + 1].text : keyword
        if keyword == "extension" {
            let path = tokens[(position + 1)...].prefix { token in
                token.isWord && token.text != "where" || token.text == "."
            }
            if !path.isEmpty { name = path.map(\.text).joined() }
        }
        if Declaration.types.contains(keyword), let owner, declarations[owner].hasMembers {
            name = "\(declarations[owner].name).\(name)"
        }
        return Declaration(
            keyword: keyword,
            name: name,
            modifiers: Set(tokens[start..<position].map(\.text)).intersection(Self.modifiers),
            start: tokens[start].line,
            line: tokens[position].line,
            owner: owner
        )
    }

    /// Returns whether a keyword begins a declaration: `init` and `class`, for example, also have
    /// other meanings.
    private func isDeclaration(_ position: Int) -> Bool {
        let keyword = tokens[position].text
        let before = position > 0 ? tokens[position - 1].text : ""
        let after = position + 1 < tokens.count ? tokens[position + 1] : nil
        guard let after, ![".", "@", "import"].contains(before) else { return false }
        if keyword == "func" { return true }
        if Self.named.contains(keyword) {
            return after.isWord && !Self.named.contains(after.text)
                || ["(", "["].contains(after.text)
        }
        return Self.unnamed[keyword]?.contains(after.text) ?? false
    }

    /// Returns the first token of a declaration, among its attributes and modifiers.
    private func start(ofDeclaration position: Int) -> Int {
        var start = position
        while start > 0 {
            let previous = word(before: start)
            if previous > 0, tokens[previous - 1].text == "@" {
                start = previous - 1
            } else if previous >= 0, Self.modifiers.contains(tokens[previous].text),
                previous == 0 || tokens[previous - 1].text != "."
            {
                start = previous
            } else {
                break
            }
        }
        return start
    }

    /// Returns the position of the word before a token, without its arguments in parentheses.
    private func word(before position: Int) -> Int {
        var word = position - 1
        var depth = 0
        while word > 0 {
            if tokens[word].text == ")" { depth += 1 }
            if tokens[word].text == "(" { depth -= 1 }
            if depth == 0 { break }
            word -= 1
        }
        return tokens[word].text == "(" ? word - 1 : word
    }

    private static let named = Declaration.types.union(["extension", "func", "var", "let", "case"])

    /// The keywords that no name follows, and what does.
    private static let unnamed: [String: Set<String>] = [
        "init": ["(", "<", "?", "!"], "subscript": ["(", "<"], "deinit": ["{"],
    ]

    private static let modifiers: Set = [
        "public", "package", "internal", "fileprivate", "private", "open", "static", "class",
        "final", "indirect", "lazy", "mutating", "nonmutating", "nonisolated", "override",
        "convenience", "required", "weak", "unowned", "prefix", "postfix", "infix",
    ]
}
