import Foundation
import TidemarkModel

extension PredicateParser {
    /// Parses a key path, a literal, an argument or a list.
    mutating func operand() throws(PredicateFault) -> PredicateOperand {
        let location = token.location
        if token.isListStart {
            return PredicateOperand(content: .list(try list()), location: location)
        }
        if token.isKeyword(.row) || token.isPathName || token.kind == .argument("K")
            || isRowVariable
        {
            if let call = token.callee, token(after: 1).kind == .symbol("(") {
                let content: PredicateOperand.Content =
                    call.uppercased() == "SUBQUERY"
                    ? .subquery(try subquery()) : .literal(try cast(call))
                return PredicateOperand(content: content, location: location)
            }
            return PredicateOperand(content: .path(try path()), location: location)
        }
        return PredicateOperand(content: .literal(try literal()), location: location)
    }

    private mutating func list() throws(PredicateFault) -> [PredicateOperand] {
        let isBraced = token.kind == .symbol("{")
        let close = isBraced ? "}" : ")"
        position += 1
        var elements: [PredicateOperand] = []
        if skip(close) { return [] }
        repeat {
            guard !token.isListStart else {
                throw PredicateFault("A list cannot hold lists", at: token.location)
            }
            elements.append(try operand())
        } while skip(",")
        try expect(close, or: "A comma or the end of the list is expected here")
        return elements
    }

    // MARK: Literals

    private mutating func literal() throws(PredicateFault) -> PredicateLiteral {
        let token = token
        position += 1
        switch token.kind {
        case .text(let text): return .text(text)
        case .number(let digits): return .number(digits)
        case .symbol("-"):
            guard case .number(let digits) = self.token.kind else { throw noOperand(token) }
            position += 1
            return .number("-\(digits)")
        case .argument: return try argument(token.location)
        case .variable(let name):
            guard let value = names[name] else {
                throw PredicateFault("No value was given for $\(name)", at: token.location)
            }
            return try PredicateLiteral(value, at: token.location)
        case .word(let word):
            switch PredicateKeyword(word) {
            case .null, .nil: return .null
            case .true, .yes: return .boolean(true)
            case .false, .no: return .boolean(false)
            default: throw noOperand(token)
            }
        case .name, .collection, .symbol, .end: throw noOperand(token)
        }
    }

    private func noOperand(_ token: PredicateToken) -> PredicateFault {
        var hint: String?
        if case .word(let word) = token.kind {
            hint = "Write #\(word) for an attribute of this name."
        }
        return PredicateFault(
            "An attribute or a value is expected here, not \(token.shown)",
            at: token.location,
            hint: token.isArithmetic ? PredicateToken.arithmeticHint : hint
        )
    }

    private mutating func argument(
        _ location: TextLocation
    ) throws(PredicateFault) -> PredicateLiteral {
        guard let value = arguments.popFirst() else {
            throw PredicateFault(
                "There are fewer arguments than %@ and %K in the text",
                at: location
            )
        }
        return try PredicateLiteral(value, at: location)
    }

    // MARK: Functions

    private mutating func cast(_ name: String) throws(PredicateFault) -> PredicateLiteral {
        let location = token.location
        guard name.uppercased() == "CAST" else { throw Self.call(of: name, location) }
        position += 2
        let content = try literal()
        try expect(",", or: "A comma and the name of a type is expected here")
        let typeLocation = token.location
        guard case .text(let type) = try literal() else {
            throw PredicateFault("The name of a type is expected here, in quotes", at: typeLocation)
        }
        try expect(")", or: "A closing parenthesis is expected here")
        return try content.cast(to: type, typeAt: typeLocation, at: location)
    }

    private static func call(of name: String, _ location: TextLocation) -> PredicateFault {
        PredicateFault(
            "Functions such as \(name)() are not supported",
            at: location,
            hint: "Compute the value first, and give it as an argument or a literal."
        )
    }

    // MARK: Key paths

    mutating func path() throws(PredicateFault) -> PredicatePath {
        var names: [PredicatePath.Name] = []
        var origin = PredicateOrigin.row
        if case .variable(let name) = token.kind, isRowVariable {
            position += 1
            origin = .named(name)
        } else if !skip(.row) {
            names += try pathNames()
        }
        while skip(".") {
            if case .collection(let name) = token.kind {
                guard name == "count" else { throw unknownCollection(name) }
                position += 1
                if token.kind == .symbol(".") {
                    throw PredicateFault("Nothing can follow @count", at: token.location)
                }
                return PredicatePath(origin: origin, names: names, isCounted: true)
            }
            names += try pathNames()
        }
        return PredicatePath(origin: origin, names: names, isCounted: false)
    }

    private mutating func pathNames() throws(PredicateFault) -> [PredicatePath.Name] {
        let token = token
        position += 1
        switch token.kind {
        case .word(let name), .name(let name):
            return [PredicatePath.Name(text: name, location: token.location)]
        case .argument("K"):
            guard case .string(let text) = arguments.popFirst() else {
                throw PredicateFault("A text must be given for %K", at: token.location)
            }
            return try text.split(separator: ".", omittingEmptySubsequences: false)
                .map { (part) throws(PredicateFault) in
                    guard PredicateLexer.isName(part) else {
                        throw PredicateFault(
                            "What was given for %K is not a key path",
                            at: token.location,
                            hint: "It is made of names with dots between them."
                        )
                    }
                    return PredicatePath.Name(text: String(part), location: token.location)
                }
        case .argument, .collection, .variable, .text, .number, .symbol, .end:
            throw PredicateFault("The dot must be followed by a name", at: token.location)
        }
    }

    private func unknownCollection(_ name: String) -> PredicateFault {
        PredicateFault("@\(name) is not supported", at: token.location, hint: "Only @count is.")
    }
}

extension PredicateToken {
    /// Whether a key path can begin with the token.
    fileprivate var isPathName: Bool {
        switch kind {
        case .word(let word): PredicateKeyword(word) == nil
        case .name: true
        case .collection, .variable, .argument, .text, .number, .symbol, .end: false
        }
    }

    /// Whether the token begins a list.
    var isListStart: Bool { kind == .symbol("{") || kind == .symbol("(") }

    /// The name of a function, provided that a parenthesis follows.
    fileprivate var callee: String? {
        guard case .word(let word) = kind else { return nil }
        return word
    }
}

extension PredicateLiteral {
    /// Creates the literal that is equivalent to an argument.
    fileprivate init(_ value: Value, at location: TextLocation) throws(PredicateFault) {
        switch value {
        case .double(let number), .date(let number):
            guard number.isFinite else {
                throw PredicateFault("The argument is not a finite number", at: location)
            }
        case .decimal(let digits):
            guard PredicateLexer.isNumber(digits) else {
                throw PredicateFault("The argument is not a number", at: location)
            }
        case .null, .boolean, .integer, .string, .uuid, .uri, .binary, .json: break
        }
        self.init(value)
    }

    /// Converts a literal to a type that has no literal syntax.
    fileprivate func cast(
        to type: String,
        typeAt typeLocation: TextLocation,
        at location: TextLocation
    ) throws(PredicateFault) -> PredicateLiteral {
        switch (type.lowercased(), self) {
        case ("date", .number(let digits)):
            if let seconds = Double(digits), seconds.isFinite { return .value(.date(seconds)) }
        case ("date", .text(let text)):
            if let moment = DateFormat.automatic.microseconds(from: text) {
                return .value(.date(DateFormat.seconds(fromMicroseconds: moment)))
            }
        case ("binary", .text(let text)):
            if let data = Data(base64Encoded: text) { return .value(.binary(Array(data))) }
        case ("json", .text(let text)): return .value(.json(text))
        case ("date", _), ("binary", _), ("json", _): break
        default:
            throw PredicateFault(
                "CAST knows the types date, binary and json",
                at: typeLocation,
                hint: "Other values have literals that become what they are compared with."
            )
        }
        throw PredicateFault(
            "The value does not convert to the type \(type.lowercased())",
            at: location
        )
    }
}
