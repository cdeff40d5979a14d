/// A compiled Unicode date pattern (UTS #35).
struct DatePattern: Hashable {
    private(set) var fields: [Field] = []

    enum Field: Hashable {
        case literal([UInt8])
        case symbol(Symbol, count: Int, isAdjacent: Bool)
    }

    /// The supported pattern letters.
    enum Symbol: Character, CaseIterable {
        case year = "y"
        case month = "M"
        case standaloneMonth = "L"
        case day = "d"
        case weekday = "E"
        case hour = "H"
        case hourOfHalf = "h"
        case half = "a"
        case minute = "m"
        case second = "s"
        case fraction = "S"
        case zone = "Z"
        case zoneOrZulu = "X"
        case numericZone = "x"
    }

    init(_ text: String) throws(ModelError) {
        var rest = text[...]
        while let first = rest.first {
            if first == "'" {
                append(try Self.quoted(&rest, in: text))
            } else if first.isASCII, first.isLetter {
                let run = rest.prefix { $0 == first }
                rest = rest.dropFirst(run.count)
                fields.append(try Self.field(first, count: run.count, in: text))
            } else {
                append(String(rest.removeFirst()))
            }
        }
        guard fields.contains(where: \.isSymbol) else {
            throw ModelError(
                .invalid,
                "The date format `\(text)` has no fields.",
                hint: "Give seconds, milliseconds, microseconds or a pattern such as yyyy-MM-dd."
            )
        }
        markAdjacent()
    }

    private mutating func append(_ text: String) {
        if case .literal(let bytes) = fields.last {
            fields[fields.count - 1] = .literal(bytes + text.utf8)
        } else {
            fields.append(.literal(Array(text.utf8)))
        }
    }

    /// Returns the text between apostrophes.
    ///
    /// Two apostrophes in a row are a literal apostrophe.
    private static func quoted(
        _ rest: inout Substring,
        in text: String
    ) throws(ModelError) -> String {
        rest.removeFirst()
        if rest.first == "'" {
            rest.removeFirst()
            return "'"
        }
        var quoted = ""
        while let next = rest.popFirst() {
            if next != "'" {
                quoted.append(next)
            } else if rest.first == "'" {
                quoted.append(rest.removeFirst())
            } else {
                return quoted
            }
        }
        throw ModelError(
            .invalid,
            "The date format `\(text)` has an apostrophe without its second.",
            hint: "Put one before and one after the text; two in a row mean the apostrophe itself."
        )
    }

    private static func field(
        _ letter: Character,
        count: Int,
        in text: String
    ) throws(ModelError) -> Field {
        guard let symbol = Symbol(rawValue: letter), (1...symbol.longest).contains(count) else {
            let field = String(repeating: letter, count: count)
            throw ModelError(
                .invalid,
                "The date format `\(text)` has the field `\(field)`, which is not supported.",
                hint: "Supported are y M L d E H h a m s S Z X x and text in apostrophes."
            )
        }
        return .symbol(symbol, count: count, isAdjacent: false)
    }

    /// Marks the numeric fields that are directly followed by another one.
    ///
    /// These have a fixed width, since nothing else separates the digits of `yyyyMMdd`.
    private mutating func markAdjacent() {
        for index in fields.indices.dropLast() {
            if case .symbol(let symbol, let count, _) = fields[index],
                case .symbol(let next, let nextCount, _) = fields[index + 1],
                next.isNumeric(nextCount)
            {
                fields[index] = .symbol(symbol, count: count, isAdjacent: true)
            }
        }
    }
}

extension DatePattern.Field {
    fileprivate var isSymbol: Bool {
        switch self {
        case .literal: false
        case .symbol: true
        }
    }
}

extension DatePattern.Symbol {
    /// The maximum number of repetitions of the letter.
    fileprivate var longest: Int {
        switch self {
        case .day, .hour, .hourOfHalf, .minute, .second: 2
        case .year, .month, .standaloneMonth, .weekday: 4
        case .zoneOrZulu, .numericZone, .half: 3
        case .zone: 5
        case .fraction: 9
        }
    }

    /// Returns whether a field of that many letters is numeric.
    fileprivate func isNumeric(_ count: Int) -> Bool {
        switch self {
        case .year, .day, .hour, .hourOfHalf, .minute, .second, .fraction: true
        case .month, .standaloneMonth: count < 3
        case .weekday, .half, .zone, .zoneOrZulu, .numericZone: false
        }
    }
}
