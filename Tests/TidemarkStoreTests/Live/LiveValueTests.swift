import Foundation
import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// The values of live results, without a database of their own.
struct LiveValueTests {
    // MARK: Order

    @Test func `keys are ordered as SQLite orders the values`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = Chance(seed: seed)
        let values: [DatabaseValue] = [
            .null, Int64.min.databaseValue, Int64.max.databaseValue, (-1).databaseValue,
            0.databaseValue, (-0.0).databaseValue, 0.5.databaseValue, 1e300.databaseValue,
            (-1e300).databaseValue, Double.infinity.databaseValue, (1 << 53 + 1).databaseValue,
            0x1p53.databaseValue, 0x1p63.databaseValue, (Int64.max - 511).databaseValue,
            (-0x1p63).databaseValue, "".databaseValue, "a".databaseValue, "a\0".databaseValue,
            "a\0b".databaseValue, "ab".databaseValue, "é".databaseValue, "\u{10FFFF}".databaseValue,
            Data().databaseValue, Data([0]).databaseValue, Data([0, 1]).databaseValue,
            Data([255]).databaseValue,
        ]
        let queue = try DatabaseQueue()
        for isDescending in [false, true] {
            try queue.write { db in
                try db.execute(sql: "DROP TABLE IF EXISTS t; CREATE TABLE t (a, b)")
                for _ in 0..<200 {
                    try db.execute(
                        sql: "INSERT INTO t VALUES (?, ?)",
                        arguments: [chance.pick(values), chance.pick(values)]
                    )
                }
                let order = isDescending ? "a DESC, b" : "a, b DESC"
                let rows = try Row.fetchAll(
                    db,
                    sql: "SELECT rowid, a, b FROM t ORDER BY \(order), rowid"
                )
                let keys = ValueArena.lasting { arena in
                    rows.map { row in
                        var key = OrderKey.Builder()
                        let (a, b) = (arena.stored(row[1]), arena.stored(row[2]))
                        key.append(a, as: OrderKey.Term(isDescending: isDescending))
                        key.append(b, as: OrderKey.Term(isDescending: !isDescending))
                        return key.key(row: row[0])
                    }
                }
                #expect(keys == keys.sorted(), "seed \(seed)")
            }
        }
    }

    @Test func `decimal keys are ordered by value`() {
        let texts = [
            "-120.5", "-12.5", "-12", "-1.25", "-1.2", "-0.5", "0", "0.05", "0.5", "1", "1.05",
            "1.5", "2", "10", "10.5", "99", "100",
        ]
        let keys = ValueArena.lasting { arena in
            texts.map { text in
                var key = OrderKey.Builder()
                key.append(.text(arena.copy(text)), as: OrderKey.Term(isDecimal: true))
                return key.key(row: 0)
            }
        }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == texts.count)
    }

    // MARK: Differences

    private func entry(
        _ row: Int64,
        _ order: Int64,
        _ value: Int,
        _ section: String = ""
    )
        -> LiveEntries.Entry
    {
        var key = OrderKey.Builder()
        key.append(.integer(order), as: OrderKey.Term())
        return LiveEntries.Entry(key: key.key(row: row), fingerprint: value, section: section)
    }

    /// Applies a difference as its documentation says.
    private func applied(
        _ difference: LiveDifference,
        to old: [Int64],
        _ new: [Int64]
    ) -> [Int64] {
        var rows = old
        for position in (difference.deletions + difference.moves.map(\.old)).sorted().reversed() {
            rows.remove(at: position)
        }
        for position in (difference.insertions + difference.moves.map(\.new)).sorted() {
            rows.insert(new[position], at: position)
        }
        return rows
    }

    @Test func `differences lead from each list to the next, and name only what has changed`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = Chance(seed: seed)
        for _ in 0..<2_000 {
            var index = LiveIndex()
            var entries: [Int64: LiveEntries.Entry] = [:]
            for row in 1...Int64(chance.number(1...24)) where chance.happens(70) {
                entries[row] = entry(row, Int64(chance.number(0...9)), 0)
            }
            index = LiveIndex(LiveEntries(entries.values.sorted { $0.key < $1.key }))
            for _ in 0..<3 {
                let old = index.rows
                var fresh: [Int64: LiveEntries.Entry?] = [:]
                var values: [Int64: Int] = [:]
                for row in old { values[row] = entries[row]?.fingerprint }
                for _ in 0..<chance.number(0...12) {
                    let row = Int64(chance.number(1...24))
                    let next =
                        chance.happens(25)
                        ? nil
                        : entry(row, Int64(chance.number(0...9)), chance.number(0...1))
                    fresh[row] = .some(next)
                    entries[row] = next
                }
                let expected = entries.values.sorted { $0.key < $1.key }
                var other = index
                let difference = index.apply(fresh)
                #expect(index.rows == expected.map(\.row), "seed \(seed)")
                #expect(applied(difference, to: old, index.rows) == index.rows, "seed \(seed)")
                #expect(
                    other.apply(other.changes(to: LiveEntries(expected))) == difference,
                    "seed \(seed)"
                )
                check(difference, old, index.rows, values, entries, seed)
            }
        }
    }

    private func check(
        _ difference: LiveDifference,
        _ old: [Int64],
        _ new: [Int64],
        _ values: [Int64: Int],
        _ entries: [Int64: LiveEntries.Entry],
        _ seed: UInt64
    ) {
        let deleted = Set(difference.deletions.map { old[$0] })
        let inserted = Set(difference.insertions.map { new[$0] })
        #expect(deleted == Set(old).subtracting(new), "seed \(seed)")
        #expect(inserted == Set(new).subtracting(old), "seed \(seed)")
        let updated = Set(
            new.filter { row in values[row].map { $0 != entries[row]?.fingerprint } ?? false }
        )
        #expect(Set(difference.updates.map { new[$0.new] }) == updated, "seed \(seed)")
        for move in difference.moves + difference.updates {
            #expect(old[move.old] == new[move.new], "seed \(seed)")
        }
        // No more moves than are needed to sort the rows that were there before.
        let kept = new.filter(Set(old).contains)
        let positions = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
        let sorted = kept.compactMap { positions[$0] }.longestAscendingSubsequence.count
        #expect(difference.moves.count >= kept.count - sorted, "seed \(seed)")
        let minimal = LiveDifference(from: old, to: new, isUpdated: updated.contains)
        #expect(minimal.moves.count == kept.count - sorted, "seed \(seed)")
        #expect(applied(minimal, to: old, new) == new, "seed \(seed)")
    }

    @Test func `a row that is updated after joined chunks stays in the list`() {
        var chunks = ChunkedRows<Int>()
        chunks.append(contentsOf: Array(0..<768))
        var difference = LiveDifference()
        difference.deletions = Array(256..<384)
        chunks = chunks.applying(difference) { _ in -1 }
        difference.deletions = Array(0..<128)
        difference.updates = [LiveDifference.Move(old: 384, new: 256)]
        chunks = chunks.applying(difference) { _ in -1 }
        let rows = (0..<chunks.count).map { chunks[$0] }
        #expect(rows == Array(128..<256) + Array(384..<512) + [-1] + Array(513..<768))
    }

    @Test func `a row that only changes its section moves`() {
        var index = LiveIndex(
            LiveEntries([entry(1, 1, 0, "a"), entry(2, 2, 0, "b")])
        )
        let difference = index.apply([1: entry(1, 1, 0, "b")])
        #expect(difference.moves == [LiveDifference.Move(old: 0, new: 0)])
        #expect(index.entries.sections.map(\.title) == ["b"])
    }

    // MARK: Rows

    @Test func `lists of chunks change as arrays do`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = Chance(seed: seed)
        var next = 0
        func fresh() -> Int {
            next += 1
            return next
        }
        for _ in 0..<40 {
            var array = (0..<chance.number(0...1_500)).map { _ in fresh() }
            var chunks = ChunkedRows<Int>()
            chunks.append(contentsOf: array)
            for _ in 0..<20 {
                var rows = array
                for _ in 0..<chance.number(0...8) where !rows.isEmpty {
                    let position = chance.number(0...rows.count - 1)
                    switch chance.number(0...3) {
                    case 0: rows.remove(at: position)
                    case 1: rows.insert(fresh(), at: position)
                    case 2: rows.insert(rows.remove(at: position), at: 0)
                    default: rows.append(fresh())
                    }
                }
                let updated = Set(rows.filter { _ in chance.happens(1) })
                let difference = LiveDifference(
                    from: array.map(Int64.init),
                    to: rows.map(Int64.init),
                    isUpdated: { updated.contains(Int($0)) }
                )
                chunks = chunks.applying(difference) { rows[$0] }
                array = rows
                #expect(chunks.count == array.count, "seed \(seed)")
                #expect((0..<chunks.count).map { chunks[$0] } == array, "seed \(seed)")
            }
        }
    }

    // MARK: Feed

    @Test func `a feed reads for the consumers that wait, one read at a time`() throws {
        let layout = try StoreLayout(Studio.model)
        func dependencies(_ entity: String) throws -> LiveDependencies {
            LiveDependencies(on: try layout.entity(entity), in: layout)
        }
        var state = LiveFeedState()
        let people = state.register(try dependencies("Person"))
        let notes = state.register(try dependencies("Note"))
        #expect(state.depends(onTable: "Person") && !state.depends(onTable: "Team"))
        var changes = RowChanges()
        changes.add(present: 7, in: "Person")
        state.committed(changes)
        #expect(!state.canRead)
        state.setWaiting(true, people)
        state.setWaiting(true, notes)
        #expect(state.canRead)
        let taken = state.beginRead()
        #expect(taken.keys.sorted() == [people])
        #expect(taken[people]?.tables["Person"]?.present == [7])
        state.committed(changes)
        state.setWaiting(true, people)
        #expect(state.beginRead().isEmpty)
        state.endRead()
        #expect(state.canRead)
        state.setWaiting(false, people)
        #expect(!state.canRead)
        state.invalidate()
        #expect(state.beginRead().keys.sorted() == [notes])
        state.endRead()
        state.unregister(people)
        state.unregister(notes)
        #expect(state.isEmpty && state.endpoints.isEmpty)
    }

    @Test func `more changed rows than are worth looking at are everything`() {
        var changes = RowChanges()
        for row in 0...Int64(RowChanges.limit) { changes.add(updated: row, in: "Note") }
        #expect(changes.isUnspecific)
        var one = RowChanges()
        one.add(present: 1, in: "Note")
        one.formUnion(changes)
        #expect(one.isUnspecific && one.tables.isEmpty)
    }
}
