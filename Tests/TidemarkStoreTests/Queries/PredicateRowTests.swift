import GRDB
import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

struct PredicateRowTests {
    @Test(arguments: [
        ("TRUEPREDICATE", [1, 2, 3, 4, 5]), ("falsepredicate", []),
        ("NOT TRUEPREDICATE", []), ("! FALSEPREDICATE", [1, 2, 3, 4, 5]),
        // Only null is equal to null, and no order comparison with null is true.
        ("age = NULL", [4, 5]), ("age == nil", [4, 5]), ("age != NULL", [1, 2, 3]),
        ("age <> 36", [2, 4, 5]), ("NOT age = 36", [2, 4, 5]),
        ("age < NULL", []), ("NOT age < NULL", [1, 2, 3, 4, 5]),
        ("age < 30", [2]), ("NOT age < 30", [1, 3, 4, 5]), ("age >= 30", [1, 3]),
        ("age => 36", [1, 3]), ("age =< 20", [2]), ("30 > age", [2]), ("36 = age", [1, 3]),
        ("NOT (NOT age < 30)", [2]), ("NOT (age < 30 OR name = '')", [1, 3, 5]),
        ("NOT (age > 30 AND name = 'Ada')", [2, 3, 4, 5]),
        ("age BETWEEN {20, 35}", [2]), ("NOT age BETWEEN {20, 35}", [1, 3, 4, 5]),
        ("age BETWEEN (NULL, 35)", []), ("age BETWEEN {id, 40}", [1, 2, 3]),
        ("age IN {20, 37}", [2]), ("age IN (20, NULL)", [2, 4, 5]), ("age IN {}", []),
        ("NOT age IN {20, 36}", [4, 5]), ("NOT age IN {NULL}", [1, 2, 3]),
        ("age IN {id, 20}", [2, 5]), ("NOT age IN {}", [1, 2, 3, 4, 5]),
        ("age > 19 && age < 30 || name = ''", [2, 4]),
        ("age > 19 AND (age < 30 OR name = '')", [2]),
        ("SELF.age = 20", [2]), ("#in = 'x'", [1]), ("SELF.in = 'x'", [1]),
    ])
    func `predicates are two-valued`(_ format: String, _ rows: [Int64]) throws {
        try expect(format, finds: rows)
    }

    @Test(arguments: [
        // Integers and doubles compare by value, exactly.
        ("height = age", [2, 3, 4, 5]), ("height = 1.5", [1]), ("height < 1.6", [1]),
        ("height = '20.0'", [2]), ("age = 36.0", [1, 3]), ("age = 3.6e1", [1, 3]),
        ("weight = 0.1", [1]), ("weight < 0.1", []), ("age > -1", [1, 2, 3]),
        ("id = 100000", []),
        // Decimals compare by value at any length, also with integers.
        ("pay = 1000.50", [1]), ("pay > 9.5", [1, 4]), ("pay < 9.25", [3]),
        ("pay BETWEEN {-5, 100}", [2, 3]), ("pay IN {9.250, '1000'}", [2, 4]),
        ("pay > age", [1]), ("pay <= id", [3]), ("pay != NULL", [1, 2, 3, 4]),
        ("pay != 1000", [1, 2, 3, 5]),
        ("isActive = YES", [1, 5]), ("isActive = true", [1, 5]), ("isActive != 1", [2, 3, 4]),
        ("isActive = 'no'", [2]), ("isActive IN {FALSE, NULL}", [2, 3, 4]),
        ("bornAt = '1815-12-10'", [1]), ("bornAt < '2000-01-01T00:00:00Z'", [1]),
        ("bornAt = '2014-02-14T11:00:00.25+01:00'", [2]), ("bornAt > 0", [2]),
        ("bornAt = CAST('2014-02-14T10:00:00.25Z', 'date')", [2]),
        ("bornAt > CAST(0, 'date')", [2]), ("bornAt BETWEEN {'1800-01-01', '1900-01-01'}", [1]),
        ("code = '6FA459EA-EE8A-3CA4-894E-DB77E160355E'", [1]),
        ("code = '6fa459ea-ee8a-3ca4-894e-db77e160355e'", [1]),
        ("code BEGINSWITH '6FA4'", [1]), ("code BEGINSWITH[c] '6fa4'", [1]),
        ("code > '60000000-0000-0000-0000-000000000000'", [1]),
        ("link = 'https://a.example/1'", [1]), ("link BEGINSWITH 'https:'", [1, 2]),
        ("photo = 'AQI='", [1]), ("photo != NULL", [1]), ("photo = CAST('AQI=', 'binary')", [1]),
        ("extra = CAST('[ 1 ]', 'json')", [1]), ("extra CONTAINS '\"a\"'", [2]),
        ("blob = NULL", [1, 2, 3, 4, 5]), ("name = 12", []),
    ])
    func `compares values of each type`(_ format: String, _ rows: [Int64]) throws {
        try expect(format, finds: rows)
    }

    @Test(arguments: [
        ("name = 'ada'", []), ("name =[c] 'ADA'", [1]), ("name !=[c] 'ADA'", [2, 3, 4, 5]),
        ("name =[cd] 'EMILE'", [2]), ("name =[d] 'Emile'", [2]), ("name =[d] 'emile'", []),
        ("name IN[cd] {'ADA', 'emile'}", [1, 2]), ("name <[c] 'B'", [1, 3, 4]),
        ("name BETWEEN[c] {'ADA', 'B'}", [1, 3]),
        ("name BEGINSWITH 'Ad'", [1]), ("name BEGINSWITH[c] 'aD'", [1, 3]),
        ("name beginswith[CD] 'e'", [2]), ("NOT name BEGINSWITH 'A'", [2, 3, 4, 5]),
        ("name BEGINSWITH ''", [1, 2, 3, 4, 5]), ("code ENDSWITH ''", [1]),
        ("code CONTAINS ''", [1]), ("code CONTAINS NULL", []), ("code LIKE NULL", []),
        ("name ENDSWITH 'le'", [2]), ("name ENDSWITH[c] 'DA'", [1]),
        ("name CONTAINS 'da'", [1, 3]),
        ("name CONTAINS[d] 'Em'", [2]), ("name CONTAINS[c] 'ÉM'", [2]),
        ("name CONTAINS '*'", [3]), ("name CONTAINS '%'", []), ("name CONTAINS \"o'N\"", [5]),
        (#"name CONTAINS "\"x\"""#, [5]), (#"name CONTAINS '\u0022x'"#, [5]),
        ("name LIKE 'Ada'", [1]), ("name LIKE '?da'", [1]), ("name LIKE 'a?a*'", [3]),
        (#"name LIKE "*\*""#, [3]), (#"name LIKE "*\\*""#, [3]),
        ("name LIKE '*'", [1, 2, 3, 4, 5]),
        ("name LIKE ''", [4]), ("name LIKE '?mile'", [2]), ("name LIKE[cd] 'EM*e'", [2]),
        ("name LIKE '[A]da'", []), ("name LIKE 'A_a'", []), ("NOT name LIKE '*a*'", [2, 4, 5]),
        (#"name MATCHES "[A-Z]\w+""#, [1]), (#"name MATCHES "\\p{Lu}.*""#, [1, 2]),
        ("name MATCHES 'd'", []), ("name MATCHES 'a|Ada'", [1]),
        ("name MATCHES[c] 'ADA.?'", [1, 3]),
        ("name MATCHES[d] 'Em.*'", [2]), ("name MATCHES ''", [4]),
        ("name BEGINSWITH name", [1, 2, 3, 4, 5]), ("name CONTAINS company.name", []),
        ("name ENDSWITH name", [1, 2, 3, 4, 5]), ("link BEGINSWITH in", []),
    ])
    func `compares strings`(_ format: String, _ rows: [Int64]) throws {
        try expect(
            format.replacing("BEGINSWITH in", with: "BEGINSWITH #in"),
            finds: rows
        )
    }

    @Test(arguments: [
        ("company = NULL", [4, 5]), ("company != NULL", [1, 2, 3]), ("company = 1", [1, 2]),
        ("company = 'Company:2'", [3]), ("company = 'Company#2'", [3]), ("company = 9", []),
        ("company != 9", [1, 2, 3, 4, 5]), ("company IN {1, NULL}", [1, 2, 4, 5]),
        ("NOT company IN {1, 9}", [3, 4, 5]), ("2 = company", [3]),
        ("company.name = 'Ärzte'", [1, 2]), ("company.name =[cd] 'arzte'", [1, 2]),
        ("company.name != 'Ärzte'", [3, 4, 5]), ("company.seats = NULL", [3, 4, 5]),
        ("company.seats != NULL", [1, 2]), ("NOT company.seats > 1", [3, 4, 5]),
        ("boss.company.name = 'Ärzte'", [2, 3]), ("boss.boss = 1", [5]),
        ("boss.boss.company.seats = 2", [5]), ("boss.age = age", [3, 4]),
        ("boss.company = company", [2, 4]), ("boss = SELF", []), ("company.id IN {2, 3}", [3]),
        ("boss.name BEGINSWITH 'A' AND company.seats BETWEEN {1, 3}", [2]),
        ("SELF = 2", [2]), ("SELF IN {'Person:1', 'Person#5', 9}", [1, 5]),
        ("SELF = 'Director:1'", [1]), ("SELF = 'Director:2'", []), ("SELF = 'Director#2'", []),
        ("SELF != 'Director#1'", [2, 3, 4, 5]), ("SELF = NULL", []),
        ("boss = 'Director#1'", [2, 3]),
        ("badge = NULL", [1, 3, 4, 5]), ("badge != NULL", [2]), ("badge.number = 'A-7'", [2]),
        (#"badge = 'Badge:[1,"A-7"]'"#, [2]), (#"badge = '[1,"B"]'"#, []), ("badge.store < 2", [2]),
        ("NOT badge.store < 2", [1, 3, 4, 5]), ("badge.owner = 2", [2]),
    ])
    func `follows to-one relationships`(_ format: String, _ rows: [Int64]) throws {
        try expect(format, finds: rows)
    }

    @Test(arguments: [
        ("ANY team.age = 36", [1]), ("SOME team.age < 30", [1]), ("ANY team.age = NULL", [3]),
        ("ALL team.age > 10", [1, 2, 4, 5]), ("NONE team.age < 30", [2, 3, 4, 5]),
        ("NOT ANY team.age < 30", [2, 3, 4, 5]), ("NOT ALL team.age = 36", [1, 3]),
        ("ALL team.age != 20", [2, 3, 4, 5]), ("ANY team.age != 20", [1, 3]),
        ("ANY tags.text = 'green'", [1, 2]), ("ALL tags.text = 'green'", [2, 3, 4, 5]),
        ("NONE tags.text = 'red'", [2, 3, 4, 5]), ("ANY tags.text IN {'red', 'blue'}", [1]),
        ("ANY tags = 'Tag#1'", [1]), ("tags CONTAINS 'Tag#2'", [1, 2]), ("'Tag#1' IN tags", [1]),
        ("NOT 'Tag#1' IN tags", [2, 3, 4, 5]), ("team CONTAINS 2", [1]),
        ("boss IN friends", [3, 5]),
        ("ANY friends.name BEGINSWITH 'o'", [3, 5]), ("ANY friends = SELF", [5]),
        ("ANY friends.age = age", [1, 3, 5]), ("ALL friends.age = age", [1, 2, 4]),
        ("ANY team.tags.text = 'green'", [1]), ("ANY company.people.name = 'Ada'", [1, 2]),
        ("ALL company.people.age = 36", [3, 4, 5]), ("ANY team.company.name LIKE 'B*'", [1]),
        ("ANY team.company = NULL", [3]), ("ANY boss.team.id = id", [2, 3, 5]),
        ("tags.@count = 0", [3, 4, 5]), ("tags.@count >= 1", [1, 2]), ("team.@count = 2", [1]),
        ("friends.@count = 2", [3, 5]), ("friends.@count = 1", [1]),
        ("company.people.@count = 2", [1, 2]), ("company.people.@count = NULL", [4, 5]),
        ("ANY team.tags.@count = 0", [1, 3]), ("tags.@count = team.@count", [1, 4, 5]),
        ("ANY team.badge.number = 'A-7'", [1]), ("2 = team.@count", [1]),
    ])
    func `evaluates quantifiers over linked rows`(_ format: String, _ rows: [Int64]) throws {
        try expect(format, finds: rows)
    }

    @Test(arguments: [
        ("SUBQUERY(team, $x, $x.age > 30 AND $x.name != 'Zoe').@count > 0", [1]),
        ("SUBQUERY(team, $x, $x.age < 30).@count = 0", [2, 3, 4, 5]),
        ("0 = SUBQUERY(team, $x, $x.age < 30).@count", [2, 3, 4, 5]),
        ("NOT SUBQUERY(team, $x, $x.age < 30).@count != 0", [2, 3, 4, 5]),
        ("SUBQUERY(team, $x, $x.age > 10).@count = 2", [1]),
        ("SUBQUERY(team, $x, $x.age > 10).@count IN {1, 2}", [1]),
        ("SUBQUERY(team, $x, $x.age = age).@count > 0", [1]),
        ("SUBQUERY(team, $x, ANY $x.tags.text = 'green').@count >= 1", [1]),
        ("SUBQUERY(team, $x, NONE $x.tags.text = 'green').@count >= 1", [1, 3]),
        ("SUBQUERY(company.people, $x, $x != SELF).@count = 1", [1, 2]),
        ("SUBQUERY(company.people, $x, $x.age > 0).@count < age", [1, 2, 3]),
        ("age > SUBQUERY(company.people, $x, $x.age > 0).@count", [1, 2, 3]),
        ("SUBQUERY(company.people, $x, TRUEPREDICATE).@count = NULL", [4, 5]),
        ("SUBQUERY(tags, $tag, $tag IN {'Tag#1', 'Tag#3'}).@count > 0", [1]),
        (
            "SUBQUERY(team, $x, SUBQUERY($x.team, $y, $y.age = NULL AND $x.age = SELF.age)"
                + ".@count > 0).@count > 0",
            [1]
        ),
    ])
    func `counts the linked rows that satisfy a condition`(
        _ format: String,
        _ rows: [Int64]
    ) throws {
        try expect(format, finds: rows)
    }

    @Test func `finds only rows of the entity and its sub-entities`() throws {
        let store = try Office.store()
        #expect(try store.found("Director", "age > 0") == [1])
        #expect(try store.found("Director", "name = 'Émile'").isEmpty)
        #expect(try store.found("Director", "name = 'Émile' OR TRUEPREDICATE") == [1])
        #expect(try store.found("Director", "NOT age = 20") == [1])
        #expect(try store.found("Director", "budget > 19999999999999999999.9") == [1])
        #expect(try store.found("Director", "ANY team.name = 'Émile'") == [1])
        #expect(try store.found("Tag", "ANY people.name = 'Ada'") == [1, 2])
        #expect(try store.found("Company", "people.@count = 1") == [2])
        #expect(try store.found("Badge", "owner.name = 'Émile'") == [1])
        #expect(try store.found("Badge", "owner = NULL") == [2])
    }

    @Test func `accepts positional and named arguments`() throws {
        let store = try Office.store()
        #expect(try store.found("Person", "%K = %@", "boss.name", "Ada") == [2, 3])
        #expect(try store.found("Person", "pay IN {%@, %@}", .decimal("9.250"), -3) == [2, 3])
        #expect(try store.found("Person", "age = %@", .null) == [4, 5])
        #expect(try store.found("Person", "bornAt = %@", .date(1_392_372_000.25)) == [2])
        #expect(try store.found("Person", "photo = %@", .binary([1, 2])) == [1])
        #expect(try store.found("Person", "height = %@", 1.5) == [1])
        #expect(try store.found("Person", "isActive = %@", .boolean(true)) == [1, 5])
        #expect(
            try store.found(
                "Person",
                RecordPredicate(
                    "company = $company AND age > $least",
                    names: ["company": 1, "least": 30]
                )
            ) == [1]
        )
    }

    @Test func `a request fetches, counts, sorts and limits the rows of a predicate`() throws {
        let store = try Office.store()
        var request = RecordRequest(
            "Person",
            where: try RecordPredicate("pay != NULL"),
            sort: [.init("pay")]
        )
        try store.read { (db: StoreReader) throws in
            #expect(try db.fetch(request).map(\.reference.number) == [3, 2, 4, 1])
            #expect(try db.count(request) == 4)
            request.sort = [.init("pay", .descending)]
            request.limit = 3
            request.offset = 2
            #expect(try db.fetch(request).map(\.reference.number) == [2, 3])
            #expect(try db.count(request) == 2)
            request.predicate = nil
            request.offset = 0
            #expect(try db.fetch(request).map(\.reference.number) == [1, 4, 2])
        }
    }

    @Test func `works in an app's own database, inside its transactions and cursors`() throws {
        let queue = try DatabaseQueue()
        let store = try Store.validated(in: queue, model: Office.model)
        try Office.fill(store)
        let predicate = try RecordPredicate("name MATCHES[cd] 'e.*' OR pay > 999")
        try queue.write { db in
            var found: [String] = []
            try store.read(in: db) { reader in
                try reader.forEach(RecordRequest("Person", sort: [.init("pay")])) { record in
                    let rows = try reader.rows(RecordRequest("Person", where: predicate))
                    if rows.contains(record.reference.number) {
                        found.append("\(record.reference)")
                    }
                }
            }
            #expect(found == ["Person#2", "Person#4", "Director#1"])
        }
    }

    private func expect(
        _ format: String,
        finds rows: [Int64],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try Self.office.get()
        #expect(try store.found("Person", format) == rows, sourceLocation: sourceLocation)
    }

    private static let office = Result { try Office.store() }
}
