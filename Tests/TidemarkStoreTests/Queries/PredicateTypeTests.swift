import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Predicates that do not fit the entity, with the character at which the error is reported.
struct PredicateTypeTests {
    @Test(arguments: [
        ("nmae = 'x'", 1, "Person has no attribute or relationship nmae", "Did you mean name?"),
        ("NAME = 'x'", 1, "no attribute or relationship NAME", "Did you mean name?"),
        (
            "company.zzz = 1", 9, "Company has no attribute or relationship zzz",
            "It has id, name, people, seats."
        ),
        (
            "age = 1 AND name.x = 1", 13,
            "Person.name is an attribute: nothing can follow it", ""
        ),
        ("budget = 1", 1, "Person has no attribute or relationship budget", ""),
        ("age = 'old'", 7, "Person.age is of type integer16: The value is not a number", ""),
        ("age = 1.5", 7, "The value is not a whole number", ""),
        ("age < 40000", 7, "The value does not fit into 16 bits", ""),
        ("age = TRUE", 7, "The value is not a number", ""),
        ("age IN {1, 'x'}", 12, "The value is not a number", ""),
        ("age BETWEEN {1, 'x'}", 17, "The value is not a number", ""),
        ("pay = '1.2.3'", 7, "The value is not a number", ""),
        ("bornAt > 'soon'", 10, "The value is not a date in a known form", ""),
        ("code = '6fa4'", 8, "The value is not a UUID", ""),
        ("link = 'a b'", 8, "The value is not a URI", ""),
        ("isActive = 2", 12, "The value is neither true nor false", ""),
        ("photo = '?'", 9, "The value is not base64", ""),
        ("extra = CAST('{', 'json')", 9, "The value is not JSON", ""),
        (#"name = 'a\u0000'"#, 8, "U+0000", ""),
        (
            "isActive < TRUE", 10, "Person.isActive is of type boolean, which has no order",
            "Compare it with =, != or IN."
        ),
        ("photo > 'AQI='", 7, "which has no order", ""),
        ("extra BETWEEN {1, 2}", 7, "no order", ""),
        ("company < 2", 9, "Person.company is a row, which has no order", ""),
        ("age CONTAINS '3'", 5, "CONTAINS compares texts; Person.age is of type integer16", ""),
        ("company LIKE 'a'", 9, "LIKE compares texts; Person.company is a row", ""),
        ("age =[c] 3", 5, "[c] is for texts; Person.age is of type integer16", ""),
        ("name LIKE company.name", 11, "The pattern behind LIKE must be a text", ""),
        (
            "name MATCHES 'a('", 14,
            "The pattern cannot be used: a parenthesis is not closed, at its character 3", ""
        ),
        ("name = age", 8, "Person.age is of type integer16, Person.name is of type string", ""),
        ("pay > height", 7, "they cannot be compared exactly", ""),
        ("company = boss", 11, "they cannot be compared exactly", ""),
        ("blob = blob", 8, "they cannot be compared exactly", ""),
        ("company = 'x'", 11, "x is not a primary key of Company", "It is of type integer64."),
        ("company = 'Tag#1'", 11, "Person.company leads to Company, not to Tag", ""),
        ("company = TRUE", 11, "Person.company is a row, and this names none", ""),
        ("tags CONTAINS 1", 15, "Tag has no primary key", "Name a row by its number: \"Tag#1\"."),
        ("tags CONTAINS 'Tag#x'", 15, "Tag#x names no row: x is not a row number", ""),
        ("badge = '[1]'", 9, "[1] is not a primary key of Badge", ""),
        (
            "SUBQUERY(company, $x, $x.id = 1).@count > 0", 1,
            "SUBQUERY needs a key path to a to-many relationship", ""
        ),
        (
            "SUBQUERY(team.friends, $x, $x.id = 1).@count > 0", 1,
            "SUBQUERY needs a key path to a to-many relationship",
            "write a SUBQUERY within another"
        ),
        ("SUBQUERY(team, $x, $x.nmae = 1).@count > 0", 23, "no attribute", "Did you mean name?"),
        ("SUBQUERY(team, $x, TRUEPREDICATE).@count = 'x'", 44, "not a number", ""),
        ("SUBQUERY(team, $x, TRUEPREDICATE).@count LIKE 'x'", 42, "LIKE compares texts", ""),
        ("team.age = 3", 1, "team leads to many rows", "Write ANY, ALL or NONE"),
        ("team = NULL", 1, "team leads to many rows", "compare team.@count"),
        ("3 = team.age", 5, "team leads to many rows", ""),
        ("age = team.age", 7, "A to-many relationship is allowed before the operator only", ""),
        ("ANY age = 3", 5, "ANY needs a key path through a to-many relationship", "Leave ANY out."),
        ("NONE team.@count = 3", 6, "NONE needs a key path", ""),
        ("company.@count = 1", 1, "@count must follow a to-many relationship", ""),
        ("1 = 1", 1, "One side of a comparison must be an attribute", ""),
        ("'name' = 'Ada'", 1, "One side of a comparison must be", "Write names without quotes."),
        ("ANY 3 = team.age", 5, "One side of a comparison must be", ""),
        ("'x' BEGINSWITH name", 1, "An attribute is expected before BEGINSWITH", ""),
        ("age IN name", 8, "IN must be followed by a list or a to-many relationship", ""),
        ("age IN 3", 8, "IN must be followed by a list or a to-many relationship", ""),
    ])
    func `rejects a predicate that does not fit the entity`(
        _ format: String,
        _ character: Int,
        _ message: String,
        _ hint: String
    ) throws {
        let store = try Store.validated(model: Office.model)
        let predicate = try RecordPredicate(format)
        let error = try #require(throws: RecordPredicateError.self) {
            try store.found("Person", predicate)
        }
        #expect(error.message.contains(message), "\(error)")
        #expect(error.hint ?? "" == hint || error.hint?.contains(hint) == true, "\(error)")
        #expect(error.character == character, "\(error.rendering)")
    }

    @Test func `a key may exceed the range of its attribute, and may look like a locator`() throws {
        let store = try Store.of(
            EntityDescription(
                "Page",
                attributes: [.init("id", .uri)],
                relationships: [.one("next", "Page")]
            )
        )
        try store.insert("Page", ["id": "https://a.example/#1"])
        try store.insert("Page", ["id": "x:y"], links: ["next": ["Page#1"]])
        #expect(try store.found("Page", "next = 'https://a.example/#1'") == [2])
        #expect(try store.found("Page", "next = 'Page:https://a.example/#1'") == [2])
        #expect(try store.found("Page", "SELF = 'x:y'") == [2])
        #expect(try Office.store().found("Person", "id < 1000000") == [1, 2, 3, 4])
    }
}
