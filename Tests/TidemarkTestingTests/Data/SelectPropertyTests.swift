import Testing
import TidemarkTestSupport

@testable import TidemarkTesting

/// Queries, which find the same objects with cached orders and binary search as with a full scan.
struct SelectPropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `the result of a query equals that of a full scan`(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var contents = FakeContents(
            FakeData([("things", (0..<chance.number(0...40)).map { Self.object($0, &chance) })]),
            keys: ["id"],
            stamps: FakeStamps(),
            now: 100
        )
        for step in 0..<chance.number(0...20) {
            contents.now += Int64(chance.number(0...2))
            let key = chance.number(0...50)
            contents.change { data in
                data["things/\(key)"] = chance.happens(30) ? nil : Self.object(key, &chance)
            }
            let query = Self.query(&chance)
            let collection = try #require(contents["things"])
            let expected = Self.plain(query, collection)
            let found = try #require(contents.withCollection(named: "things") { $0.select(query) })
            let keys = found.indices.map { collection.slots[$0]?.key }
            #expect(keys == expected.keys, "seed \(seed), step \(step): \(query)")
            #expect(found.hasMore == expected.hasMore, "seed \(seed), step \(step): \(query)")
            if query.counts {
                #expect(found.total == expected.total, "seed \(seed), step \(step): \(query)")
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `pages after cursors contain every object once, in order`(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var contents = FakeContents(
            FakeData([("things", (0..<chance.number(0...40)).map { Self.object($0, &chance) })]),
            keys: ["id"],
            stamps: FakeStamps(),
            now: 100
        )
        var query = Self.query(&chance)
        query.order.append(FakeQuery.Order(field: .key))
        (query.offset, query.counts) = (0, false)
        let filter = query.filter
        query.limit = .max
        let all = try #require(contents.withCollection(named: "things") { $0.select(query) })
        query.limit = chance.number(1...7)
        var indices: [Int] = []
        while true {
            let found = try #require(contents.withCollection(named: "things") { $0.select(query) })
            indices += found.indices
            let last = contents["things"]?.slots[found.indices.last ?? 0]
            guard found.hasMore, let last else { break }
            let text = FakePosition(last, in: query.order).text
            let position = try #require(FakePosition(text, fields: query.order.count))
            query.filter = filter && position.following(query.order)
        }
        #expect(indices == all.indices, "seed \(seed)")
    }

    // MARK: Chance

    private static func object(_ key: Int, _ chance: inout Chance) -> FakeJSON {
        var object: FakeJSON = ["id": .string("\(key)")]
        if chance.happens(80) { object["a"] = value(&chance) }
        return object
    }

    private static func value(_ chance: inout Chance) -> FakeJSON {
        chance.pick([1, 2, 3, 2.5, "1", "b", .null, true, [1, "b"], ["c": 1]])
    }

    private static func query(_ chance: inout Chance) -> FakeQuery {
        var query = FakeQuery()
        query.filter = filter(&chance, depth: 3)
        let fields: [FakeField] = [.key, .created, .changed, .member("a")]
        query.order = (0..<chance.number(0...2)).map { _ in
            FakeQuery.Order(field: chance.pick(fields), isDescending: chance.happens(50))
        }
        query.includesDeleted = chance.happens(50)
        query.offset = chance.pick([0, 0, 3, -1, .max])
        query.limit = chance.pick([0, 1, 5, .max])
        query.counts = chance.happens(50)
        return query
    }

    private static func filter(_ chance: inout Chance, depth: Int) -> FakeFilter {
        let field = chance.pick([FakeField.key, .changed, .member("a")])
        var value = FakeValue(value(&chance))
        if field == .changed { value = .moment(100 + Int64(chance.number(0...20))) }
        let comparisons: [FakeComparison] = [
            .equal, .less, .lessOrEqual, .greater, .greaterOrEqual,
        ]
        func some() -> [FakeFilter] {
            (0..<chance.number(0...3)).map { _ in filter(&chance, depth: depth - 1) }
        }
        switch chance.number(0...(depth > 0 ? 8 : 4)) {
        case 0: return .all
        case 1: return .exists(field)
        case 2: return .ordered(chance.pick([.at, .before, .after]), field, value)
        case 3, 4: return .compare(field, chance.pick(comparisons), value)
        case 5: return .not(filter(&chance, depth: depth - 1))
        case 6: return .or(some())
        default: return .and(some())
        }
    }

    /// Returns the result of a query by a full scan.
    private static func plain(
        _ query: FakeQuery,
        _ collection: FakeCollection
    ) -> (keys: [String?], total: Int, hasMore: Bool) {
        let records = collection.slots.compactMap { $0 }
            .filter { query.includesDeleted || !$0.isDeleted }
            .filter(query.filter.matches)
        let sorted = records.enumerated().sorted { one, other in
            for part in query.order {
                let first = part.field.value(of: one.element)
                let second = part.field.value(of: other.element)
                if first != second { return (first < second) != part.isDescending }
            }
            return one.offset < other.offset
        }
        let rest = sorted.dropFirst(max(0, query.offset))
        let part = rest.prefix(query.limit)
        return (part.map(\.element.key), sorted.count, part.count < rest.count)
    }
}
