import TidemarkTesting

/// The filter that a `where` parameter of Parse specifies.
struct ParseWhere {
    let filter: FakeFilter

    /// Parses the value of the parameter.
    ///
    /// - Throws: ``ParseFailure`` if the value is not valid JSON, or contains an unknown operator.
    init(_ text: String) throws(ParseFailure) {
        guard let json = FakeJSON(ifValid: text.utf8), case .object(let members) = json else {
            throw .badJSON("where parameter is not valid JSON")
        }
        filter = try Self.all(members)
    }

    private static func all(_ members: [FakeJSON.Member]) throws(ParseFailure) -> FakeFilter {
        var filters: [FakeFilter] = []
        for member in members { filters.append(try one(member)) }
        return .and(filters)
    }

    private static func one(_ member: FakeJSON.Member) throws(ParseFailure) -> FakeFilter {
        switch member.name {
        case "$and": return .and(try branches(member))
        case "$or": return .or(try branches(member))
        case "$nor": return .not(.or(try branches(member)))
        default: break
        }
        guard !member.name.hasPrefix("$") else {
            throw .badQuery("bad constraint: \(member.name)")
        }
        let field = field(member.name)
        guard case .object(let constraints) = member.value,
            constraints.contains(where: { $0.name.hasPrefix("$") })
        else { return .compare(field, .equal, value(member.value, of: field)) }
        var filters: [FakeFilter] = []
        for constraint in constraints { filters.append(try one(constraint, of: field)) }
        return .and(filters)
    }

    private static func branches(_ member: FakeJSON.Member) throws(ParseFailure) -> [FakeFilter] {
        guard let elements = member.value.elements else {
            throw .badQuery("Bad \(member.name) format - use an array value.")
        }
        var filters: [FakeFilter] = []
        for element in elements {
            guard case .object(let members) = element else {
                throw .badQuery("Bad \(member.name) format - use an array of objects.")
            }
            filters.append(try all(members))
        }
        return filters
    }

    private static func one(
        _ constraint: FakeJSON.Member,
        of field: FakeField
    ) throws(ParseFailure) -> FakeFilter {
        func compare(_ comparison: FakeComparison) -> FakeFilter {
            .compare(field, comparison, value(constraint.value, of: field))
        }
        switch constraint.name {
        case "$eq": return compare(.equal)
        case "$ne": return .not(compare(.equal))
        case "$lt": return compare(.less)
        case "$lte": return compare(.lessOrEqual)
        case "$gt": return compare(.greater)
        case "$gte": return compare(.greaterOrEqual)
        case "$in": return .oneOf(try list(constraint, of: field), in: field)
        case "$nin": return .not(.oneOf(try list(constraint, of: field), in: field))
        case "$exists":
            return constraint.value == .bool(false) ? .not(.exists(field)) : .exists(field)
        default: throw .badQuery("bad constraint: \(constraint.name)")
        }
    }

    private static func list(
        _ constraint: FakeJSON.Member,
        of field: FakeField
    ) throws(ParseFailure) -> [FakeValue] {
        guard let elements = constraint.value.elements else {
            throw .badJSON("bad \(constraint.name) value")
        }
        return elements.map { value($0, of: field) }
    }

    /// Returns the field that a name refers to.
    static func field(_ name: String) -> FakeField {
        switch name {
        case "objectId": .key
        case "createdAt": .created
        case "updatedAt": .changed
        default: .member(name)
        }
    }

    /// Returns the value to compare a field with.
    ///
    /// A time may be a string or a `Date` object.
    private static func value(_ json: FakeJSON, of field: FakeField) -> FakeValue {
        switch field {
        case .created, .changed:
            json.string.flatMap(FakePrecision.moment).map { .moment($0) } ?? FakeValue(json)
        case .key, .member: FakeValue(json)
        }
    }
}
