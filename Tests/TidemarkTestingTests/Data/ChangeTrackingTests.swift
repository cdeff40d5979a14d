import Testing
import TidemarkFakeServices
import TidemarkModel
import TidemarkTesting

/// Timestamps and tombstones, which a service derives by comparing its data before and after a
/// change.
struct ChangeTrackingTests {
    private let clock = ManualClock()

    private func service(
        _ films: [FakeJSON] = [["id": 1, "title": "A"], ["id": 2, "title": "B"]],
        _ dialect: FakeDialect = .rest()
    ) -> FakeService {
        FakeService(
            collections: ["films": films],
            dialect: dialect,
            environment: clock.environment
        )
    }

    @Test func `an unchanged object keeps its timestamps`() {
        let fake = service()
        clock.advance(by: .seconds(1))
        fake["films/1"]?["title"] = "A"
        fake["films/3"] = nil
        fake["films"] = ["id": 1]
        fake["films/"] = ["id": 1]
        fake.change { data in
            data["films/2"]?["title"] = "C"
            data["films/2"]?["title"] = "B"
            data.collections[0].objects = data.collections[0].objects
        }
        #expect(fake.times("films") == ["1 0 0", "2 0 0"])
        #expect(fake.contents["films"]?.stamp == 1_500_000_000_000_000)
    }

    @Test func `inserted, changed and deleted objects get the time of the clock`() {
        let fake = service()
        clock.advance(by: .milliseconds(5))
        fake["films/1"]?["title"] = "C"
        clock.advance(by: .microseconds(5_001))
        fake.change { data in
            data["films/2"] = nil
            data["films/3"] = ["title": "D"]
        }
        #expect(fake.times("films") == ["1 0 5", "3 10001µ 10001µ", "2 0 10001µ deleted"])
        #expect(fake["films/3"] == ["id": 3, "title": "D"])
    }

    @Test func `an object that is inserted again is new and has no tombstone`() {
        let fake = service()
        fake["films/1"] = nil
        clock.advance(by: .seconds(1))
        fake["films/1"] = ["id": 1]
        #expect(fake.times("films") == ["2 0 0", "1 1000 1000"])
    }

    @Test func `replaced data is compared with the previous data`() {
        let fake = service()
        let before = fake.data
        clock.advance(by: .seconds(1))
        fake["films/1"] = nil
        fake["films/2"]?["title"] = "C"
        clock.advance(by: .seconds(1))
        fake.change { $0 = before }
        #expect(fake.times("films") == ["1 2000 2000", "2 0 2000"])
        clock.advance(by: .seconds(1))
        fake.change { $0 = FakeData([("films", [["id": 2, "title": "B"], ["id": 4]])]) }
        #expect(fake.times("films") == ["2 0 2000", "4 3000 3000", "1 2000 3000 deleted"])
    }

    @Test func `reordering objects is not a change`() {
        let fake = service()
        clock.advance(by: .seconds(1))
        fake.change { $0.collections[0].objects.reverse() }
        #expect(fake.times("films") == ["2 0 0", "1 0 0"])
    }

    @Test func `an object whose key changes is deleted and inserted`() {
        let fake = service()
        clock.advance(by: .seconds(1))
        fake["films/1"]?["id"] = 7
        #expect(fake.times("films") == ["7 1000 1000", "2 0 0", "1 0 1000 deleted"])
        #expect(fake.data[objects: "films"]?.first == ["id": 7, "title": "A"])
    }

    @Test func `deleting an object changes only the objects that link to it`() {
        let fake = service([
            ["url": "https://x/films/1/"],
            ["url": "https://x/films/2/", "next": "https://x/films/1/"],
            ["url": "https://x/films/3/", "next": .null],
        ])
        clock.advance(by: .seconds(1))
        fake["films/1"] = nil
        #expect(fake.times("films") == ["2 0 1000", "3 0 0", "1 0 1000 deleted"])
    }

    @Test func `objects with a missing or duplicate key are kept, but not found by key`() {
        let fake = service([["id": 1], ["id": 1, "title": "again"], ["title": "none"], 5])
        clock.advance(by: .seconds(1))
        fake.change { $0.collections[0].objects.append(["title": "more"]) }
        #expect(fake.times("films") == ["1 0 0", " 0 0", " 0 0", " 0 0", " 1000 1000"])
        #expect(fake["films/1"] == ["id": 1])
        fake["films/1"] = nil
        #expect(fake.data[objects: "films"]?.count == 4)
    }

    @Test func `collections are added and removed`() {
        let fake = service()
        clock.advance(by: .seconds(1))
        fake["people/1"] = ["name": "Ada"]
        #expect(fake.times("people") == ["1 1000 1000"])
        fake.change { $0.collections.removeAll { $0.name == "films" } }
        #expect(fake.times("films") == ["none"])
        #expect(fake.contents.collections.map(\.name) == ["people"])
    }

    @Test func `the clock skew shifts timestamps`() {
        let fake = service()
        fake.clockSkew = .seconds(-60)
        fake["films/1"]?["title"] = "C"
        fake.clockSkew = .milliseconds(1_500)
        fake["films/2"] = nil
        #expect(fake.times("films") == ["1 0 -60000", "2 0 1500 deleted"])
    }

    @Test func `timestamps have the precision of the dialect`() {
        var dialect = FakeDialect.rest()
        dialect.stamps.stored = .seconds
        let fake = service([["id": 1]], dialect)
        clock.advance(by: .milliseconds(2_999))
        fake["films/1"]?["title"] = "C"
        #expect(fake.times("films") == ["1 0 2000"])
    }

    @Test func `ascending timestamps increase even if the clock is set back`() {
        let fake = service([["id": "a"], ["id": "b"], ["id": "c"]], .kinto())
        #expect(fake.times("films") == ["a 1 1", "b 2 2", "c 3 3"])
        fake.clockSkew = .seconds(-100)
        fake.change { data in
            data["films/b"] = nil
            data["films/a"]?["title"] = "A"
        }
        #expect(fake.times("films") == ["a 1 5", "c 3 3", "b 2 4 deleted"])
        fake.clockSkew = .seconds(2)
        fake["films/c"] = nil
        #expect(fake.times("films") == ["a 1 5", "b 2 4 deleted", "c 3 2000 deleted"])
    }

    @Test func `a reset collection is empty, and has a newer timestamp`() {
        let fake = service([["id": "a"], ["id": "b"]], .kinto())
        fake["films/a"] = nil
        fake.reset()
        #expect(fake.times("films") == [])
        #expect(fake.data[objects: "films"] == [])
        #expect(fake.contents["films"]?.stamp == 1_500_000_000_004_000)
        fake["films/a"] = ["title": "back"]
        #expect(fake.times("films") == ["a 5 5"])
    }

    @Test func `tombstones can be purged`() {
        let fake = service()
        fake["films/1"] = nil
        fake.purgeTombstones()
        #expect(fake.times("films") == ["2 0 0"])
        #expect(fake["films/2"] != nil)
    }

    @Test func `a change that throws keeps its modifications up to the error`() {
        struct Failure: Error {}
        let fake = service()
        #expect(throws: Failure.self) {
            try fake.change { data in
                data["films/1"] = nil
                throw Failure()
            }
        }
        #expect(fake.times("films") == ["2 0 0", "1 0 0 deleted"])
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000000Z"),
        (-1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999999Z"),
        (
            1_500_000_000_012_345, "2017-07-14T02:40:00Z", "2017-07-14T02:40:00.012Z",
            "2017-07-14T02:40:00.012345Z"
        ),
    ])
    func `times are printed with the given precision`(
        _ moment: Int64,
        _ seconds: String,
        _ milliseconds: String,
        _ microseconds: String
    ) {
        #expect(FakePrecision.seconds.text(moment) == seconds)
        #expect(FakePrecision.milliseconds.text(moment) == milliseconds)
        #expect(FakePrecision.microseconds.text(moment) == microseconds)
    }
}
