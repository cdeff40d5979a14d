import Foundation
import TidemarkModel

extension PredicateTree: CustomStringConvertible {
    /// The canonical text.
    ///
    /// Parsing it results in an equal tree.
    var description: String {
        switch self {
        case .constant(let flag): flag ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .all(let parts): parts.map { $0.wrapped(in: self) }.joined(separator: " AND ")
        case .any(let parts): parts.map { $0.wrapped(in: self) }.joined(separator: " OR ")
        case .not(let part): "NOT \(part.wrapped(in: self))"
        case .comparison(let comparison): comparison.description
        case .sql(let condition): condition.description
        }
    }

    private func wrapped(in outer: PredicateTree) -> String {
        // AND binds more tightly than OR, so it needs no parentheses inside OR.
        switch (self, outer) {
        case (.constant, _), (.comparison, _), (.sql, _), (.not, _), (.all, .any): description
        case (.all, _), (.any, _): "(\(description))"
        }
    }
}

extension PredicateComparison: CustomStringConvertible {
    var description: String {
        let quantifier = quantifier.map { "\($0.rawValue) " } ?? ""
        return "\(quantifier)\(left) \(operation.rawValue)\(folding) \(right)"
    }
}

extension SQLCondition: CustomStringConvertible {
    /// The condition with its values, which is not part of the language.
    var description: String {
        let parts = [PredicateLiteral.text(text)] + arguments.map(PredicateLiteral.init)
        return "SQL(\(parts.map(\.description).joined(separator: ", ")))"
    }
}

extension PredicateOperand: CustomStringConvertible {
    var description: String {
        switch content {
        case .path(let path): path.description
        case .literal(let literal): literal.description
        case .list(let elements):
            "{\(elements.map(\.description).joined(separator: ", "))}"
        case .subquery(let subquery): subquery.description
        }
    }
}

extension PredicatePath: CustomStringConvertible {
    var description: String {
        let start: String? =
            switch origin {
            case .row: names.isEmpty ? "SELF" : nil
            case .bound(let variable): "$\(PredicateSubquery.name(of: variable))"
            case .named(let name): "$\(name)"
            }
        let path = names.map { PredicateKeyword($0.text) == nil ? $0.text : "#\($0.text)" }
        return ([start].compactMap(\.self) + path).joined(separator: ".")
            + (isCounted ? ".@count" : "")
    }
}

extension PredicateSubquery: CustomStringConvertible {
    var description: String {
        "SUBQUERY(\(collection), $\(Self.name(of: variable)), \(condition)).@count"
    }

    fileprivate static func name(of variable: Int) -> String { "x\(variable)" }
}

extension PredicateLiteral: CustomStringConvertible {
    var description: String {
        switch self {
        case .null: "NULL"
        case .boolean(let flag): flag ? "TRUE" : "FALSE"
        case .number(let digits): digits
        case .text(let text): Self.quoted(text)
        case .value(.date(let seconds)): "CAST(\(Self.moment(seconds)), \"date\")"
        case .value(.binary(let bytes)):
            "CAST(\"\(Data(bytes).base64EncodedString())\", \"binary\")"
        case .value(.json(let text)): "CAST(\(Self.quoted(text)), \"json\")"
        case .value(let value): Self.quoted("\(value)")
        }
    }

    /// Returns a date as text; as a number of seconds if the text would not be parsed as the same
    /// date.
    private static func moment(_ seconds: Double) -> String {
        guard let moment = DateFormat.microseconds(fromSeconds: seconds),
            DateFormat.seconds(fromMicroseconds: moment) == seconds
        else { return "\(seconds)" }
        return quoted(DateFormat.automatic.string(from: moment))
    }

    private static func quoted(_ text: String) -> String {
        var result = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": result.append(contentsOf: ["\\", scalar])
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            case "\0"..<" ", "\u{7F}":
                let code = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - code.count)
                result.append(contentsOf: "\\u\(zeros)\(code)".unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append("\"")
        return String(result)
    }
}
