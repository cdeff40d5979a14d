extension PredicateParser {
    /// Whether the token is the variable of an enclosing subquery.
    var isRowVariable: Bool {
        guard case .variable(let name) = token.kind else { return false }
        return variables.contains(name)
    }

    /// Parses `SUBQUERY(collection, $variable, predicate).@count`.
    mutating func subquery() throws(PredicateFault) -> PredicateSubquery {
        let location = token.location
        position += 2
        let collection = try path()
        try expect(",", or: "A comma and a variable are expected here")
        guard case .variable(let name) = token.kind else {
            throw PredicateFault(
                "A variable is expected here, not \(token.shown)",
                at: token.location,
                hint: "Such as SUBQUERY(notes, $note, $note.done = NO).@count > 0."
            )
        }
        position += 1
        try expect(",", or: "A comma and a predicate are expected here")
        variables.append(name)
        defer { variables.removeLast() }
        let condition = try enclosed()
        guard skip("."), token.kind == .collection("count") else {
            throw PredicateFault(
                "SUBQUERY must be followed by .@count",
                at: location,
                hint: "Compare the number of rows: SUBQUERY(…).@count > 0."
            )
        }
        position += 1
        return PredicateSubquery(collection, name, condition)
    }
}
