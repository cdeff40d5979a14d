import Foundation
import TidemarkModel

extension PredicateParser {
    /// Parses a key path, a literal, an argument or a list.
    mutating func operand() throws(PredicateFault) -> PredicateOperand {
        let place = token.place
        if token.isListStart {
            return PredicateOperand(content: .list(try list()), place: place)
        }
        if token.isKeyword(.row) || token.isPathName || token.kind == .argument("K") {
            if let call = token.callee, token(behind: 1).kind == .symbol("(") {
                return PredicateOperand(content: .literal(try cast(call)), place: place)
            }
            return PredicateOperand(content: .path(try path()), place: place)
        }
        return PredicateOperand(content: .literal(try literal()), place: place)
    }

    private mutating func list() throws(PredicateFault) -> [PredicateOperand] {
        let isBraced = token.kind == .symbol("{")
        let close = isBraced ? "}" : ")"
        position += 1
        var elements: [PredicateOperand] = []
        if skip(close) { return [] }
        repeat {
            try countTerm()
            guard !token.isListStart else {
                throw PredicateFault("A list cannot hold lists", token.place)
            }
            elements.append(try operand())
        } while skip(",")
        try expect(close, "A comma or the end of the list is expected here")
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
        case .argument: return try argument(token.place)
        case .variable(let name):
            guard let value = names[name] else {
                throw PredicateFault("No value was given for $\(name)", token.place)
            }
            return try PredicateLiteral(value, token.place)
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
            token.place,
            hint: token.isArithmetic ? PredicateToken.arithmeticHint : hint
        )
    }

    private mutating func argument(_ place: TextPlace) throws(PredicateFault) -> PredicateLiteral {
        guard let value = arguments.popFirst() else {
            throw PredicateFault("There are fewer arguments than %@ and %K in the text", place)
        }
        return try PredicateLiteral(value, place)
    }

    // MARK: Functions

    private mutating func cast(_ name: String) throws(PredicateFault) -> PredicateLiteral {
        let place = token.place
        guard name.uppercased() == "CAST" else { throw Self.call(of: name, place) }
        position += 2
        let content = try literal()
        try expect(",", "A comma and the name of a type is expected here")
        let typePlace = token.place
        guard case .text(let type) = try literal() else {
            throw PredicateFault("The name of a type is expected here, in quotes", typePlace)
        }
        try expect(")", "A closing parenthesis is expected here")
        return try content.cast(to: type, typePlace, place)
    }

    private static func call(of name: String, _ place: TextPlace) -> PredicateFault {
        name.uppercased() == "SUBQUERY"
            ? PredicateFault(
                "SUBQUERY is not supported",
                place,
                hint: "ANY, ALL or NONE before a comparison, and .@count, say most of it."
            )
            : PredicateFault(
                "Functions such as \(name)() are not supported",
                place,
                hint: "Compute the value first, and give it as an argument or a literal."
            )
    }

    // MARK: Key paths

    private mutating func path() throws(PredicateFault) -> PredicatePath {
        var names: [PredicatePath.Name] = []
        let isSelf = skip(.row)
        if !isSelf { names += try pathNames() }
        while skip(".") {
            if case .collection(let name) = token.kind {
                guard name == "count" else { throw unknownCollection(name) }
                position += 1
                if token.kind == .symbol(".") {
                    throw PredicateFault("Nothing can follow @count", token.place)
                }
                return PredicatePath(names: names, isCounted: true)
            }
            names += try pathNames()
        }
        guard names.count <= limits.pathNames else {
            throw PredicateFault(
                "The key path has more than \(limits.pathNames) names",
                names.last?.place ?? token.place
            )
        }
        return PredicatePath(names: names, isCounted: false)
    }

    private mutating func pathNames() throws(PredicateFault) -> [PredicatePath.Name] {
        let token = token
        position += 1
        switch token.kind {
        case .word(let name), .name(let name):
            return [PredicatePath.Name(text: name, place: token.place)]
        case .argument("K"):
            guard case .string(let text) = arguments.popFirst() else {
                throw PredicateFault("A text must be given for %K", token.place)
            }
            return try text.split(separator: ".", omittingEmptySubsequences: false)
                .map { (part) throws(PredicateFault) in
                    guard PredicateLexer.isName(part) else {
                        throw PredicateFault(
                            "What was given for %K is not a key path",
                            token.place,
                            hint: "It is made of names with dots between them."
                        )
                    }
                    return PredicatePath.Name(text: String(part), place: token.place)
                }
        case .argument, .collection, .variable, .text, .number, .symbol, .end:
            throw PredicateFault("The dot must be followed by a name", token.place)
        }
    }

    private func unknownCollection(_ name: String) -> PredicateFault {
        PredicateFault("@\(name) is not supported", token.place, hint: "Only @count is.")
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
    fileprivate init(_ value: Value, _ place: TextPlace) throws(PredicateFault) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .number("\(number)")
        case .double(let number), .date(let number):
            // There is no literal for infinity and NaN.
            guard number.isFinite else {
                throw PredicateFault("The argument is not a finite number", place)
            }
            if case .date = value { self = .value(value) } else { self = .number("\(number)") }
        case .decimal(let digits):
            guard PredicateLexer.isNumber(digits) else {
                throw PredicateFault("The argument is not a number", place)
            }
            self = .number(digits)
        case .string(let text), .uuid(let text), .uri(let text): self = .text(text)
        case .binary, .json: self = .value(value)
        }
    }

    /// Converts a literal to a type that has no literal syntax.
    fileprivate func cast(
        to type: String,
        _ typePlace: TextPlace,
        _ place: TextPlace
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
                typePlace,
                hint: "Other values have literals that become what they are compared with."
            )
        }
        throw PredicateFault("The value does not convert to the type \(type.lowercased())", place)
    }
}
