public import TidemarkModel

/// A condition on a row, written in SQL, with the values that are bound to its parameters.
struct SQLCondition: Hashable, Sendable {
    let text: String
    let arguments: [Value]

    /// Checks that each parameter has a value.
    ///
    /// Otherwise the values of the conditions around it would be bound to its parameters.
    func check() throws(PredicateFault) {
        guard let parameters = Self.parameters(of: text) else {
            throw PredicateFault(
                "The SQL '\(text)' has a parameter with a name or a number",
                at: .none,
                hint: "Write ? for each value."
            )
        }
        guard parameters == arguments.count else {
            throw PredicateFault(
                "The SQL '\(text)' has another number of parameters, \(parameters), than values, "
                    + "\(arguments.count)",
                at: .none
            )
        }
    }

    /// Returns the number of parameters; nil if one has a name or a number.
    ///
    /// Texts, quoted names and comments contain none. The rules are those of
    /// <https://sqlite.org/lang_expr.html#varparam>.
    private static func parameters(of text: String) -> Int? {
        var rest = Substring(text)
        var count = 0
        func skip(past end: String) {
            rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
        }
        while let character = rest.popFirst() {
            switch character {
            case "'", "\"", "`": skip(past: String(character))
            case "[": skip(past: "]")
            case "-" where rest.hasPrefix("-"): skip(past: "\n")
            case "/" where rest.hasPrefix("*"):
                rest.removeFirst()
                skip(past: "*/")
            case "?":
                guard rest.first?.isASCIIDigit != true else { return nil }
                count += 1
            case ":", "@", "$": return nil
            default:
                // A name may contain a dollar sign.
                guard character.isNamePart else { continue }
                rest = rest.drop { $0.isNamePart || $0 == "$" }
            }
        }
        return count
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isNamePart: Bool { isLetter || isNumber || self == "_" }
}

extension RecordPredicate {
    /// Returns the condition that SQL is true for a row.
    ///
    /// Use it for functions and arithmetic, which predicates do not have. Columns have the names of
    /// the attributes; the SQL may contain subqueries on other tables. Inside `contains { }` it is
    /// about the linked row.
    ///
    /// ```swift
    /// let wordy = Film.filter { $0.episode > 3 && .sql("length(title) * episode > ?", 100) }
    /// ```
    ///
    /// In the SQL of the request it is `EXISTS (SELECT 1 FROM Film WHERE _id = _0._id AND (…))`, so
    /// that an index on its columns is not used: combine it with conditions that find few rows. The
    /// ``description`` of such a predicate cannot be parsed, as a text from elsewhere must not
    /// contain SQL.
    ///
    /// - Parameters:
    ///   - condition: The SQL, with `?` for each value. Never insert a value into it.
    ///   - arguments: The values, in the order of the question marks.
    /// - Returns: The predicate. A request that uses it throws ``RecordPredicateError`` if the
    ///   number of values does not match, and `DatabaseError` if the SQL is invalid.
    public static func sql(
        _ condition: String,
        _ arguments: any AttributeValue...
    ) -> RecordPredicate {
        let values = arguments.map(\.attributeValue)
        return RecordPredicate(.sql(SQLCondition(text: condition, arguments: values)))
    }
}
