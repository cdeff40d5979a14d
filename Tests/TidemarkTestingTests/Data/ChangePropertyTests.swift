import Testing
import TidemarkTestSupport

@testable import TidemarkTesting

/// Timestamps and tombstones after random changes of the data.
struct ChangePropertyTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `only objects that changed get a new timestamp`(_ seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let objects = (0..<chance.number(0...6)).map { Self.object($0, &chance) }
        var contents = FakeContents(
            FakeData([("things", objects)]),
            keys: ["id"],
            stamps: FakeStamps(),
            now: 1
        )
        for step in 2..<12 as Range<Int64> {
            let before = try #require(contents["things"])
            contents.now = step
            contents.change { data in
                for _ in 0..<chance.number(0...4) { Self.change(&data, &chance) }
            }
            let after = try #require(contents["things"])
            let comment = Comment("seed \(seed), step \(step)")
            #expect(after.records.map(\.object) == contents.data[objects: "things"], comment)
            for record in after.records where !record.key.isEmpty {
                let old = before[record.key].flatMap { $0.isDeleted ? nil : $0 }
                let isSame = old?.object == record.object
                #expect(after[record.key]?.object == record.object, comment)
                #expect(record.created == old?.created ?? step, comment)
                #expect(record.changed == (isSame ? old?.changed : step), comment)
            }
            let live = Set(after.records.map(\.key))
            let known = before.records + before.tombstones
            let removed = Set(known.map(\.key)).subtracting(live).subtracting([""])
            #expect(Set(after.tombstones.map(\.key)) == removed, comment)
            for record in after.tombstones {
                let old = before[record.key]
                #expect(record.changed == (old?.isDeleted == true ? old?.changed : step), comment)
            }
        }
    }

    private static func object(_ key: Int, _ chance: inout Chance) -> FakeJSON {
        let value = FakeJSON.number("\(chance.number(0...2))")
        return chance.happens(10) ? ["a": value] : ["id": .string("\(key)"), "a": value]
    }

    private static func change(_ data: inout FakeData, _ chance: inout Chance) {
        let (key, other) = (chance.number(0...8), chance.number(0...8))
        switch chance.number(0...9) {
        case 0...3: data["things/\(key)"] = object(key, &chance)
        case 4: data["things/\(key)"] = object(other, &chance)
        case 5...7: data["things/\(key)"] = nil
        case 8: data.collections[0].objects = chance.shuffled(data.collections[0].objects)
        default: data = FakeData([("things", data[objects: "things"] ?? [])])
        }
    }
}
