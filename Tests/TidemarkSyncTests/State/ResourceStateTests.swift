import Foundation
import GRDB
import Testing

@testable import TidemarkSync

/// Saving and reading the state of a resource.
struct ResourceStateTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try SyncTables.create($0) }
    }

    private func kept(_ state: ResourceState) throws -> ResourceState? {
        try database.write { db in
            try state.save(db)
            return try ResourceState.of(state.path, db)
        }
    }

    /// Returns a state with a checkpoint, whose properties have distinct values.
    private static func full(_ leg: PullCheckpoint.Leg) -> ResourceState {
        var state = ResourceState(
            path: "films/?a=\"b\"",
            entity: "Film",
            generation: 3,
            reading: "f"
        )
        state.firstFullSync = Date(timeIntervalSince1970: 1_500_000_000.123456)
        state.cursor = "2026-01-02T03:04:05.678901Z"
        state.version = "\"1795305651006\""
        state.latest = "2026-01-02T03:04:06Z"
        state.listRead = Date(timeIntervalSince1970: 1_500_000_001.5)
        state.lastAttempt = Date(timeIntervalSince1970: 1_500_000_002)
        state.outcome = "failed"
        state.message = "“Über” \n \u{1F600}"
        state.lastSuccess = Date(timeIntervalSince1970: 1_500_000_003)
        state.mismatch = CountMismatch(count: 5, rows: 3)
        state.paging = StoredPaging(pagination: "page:p", total: "body:meta.total")
        state.changesProblem = ChangesProblem(.incomplete, after: ChangesProblem(.rejected))
        state.parent = ResourceState.Parent(resource: "films/{film}", row: 7, traversal: "t")
        var walk = PullCheckpoint(leg, run: "run 1")
        walk.next = URL(string: "https://a.example/films/?page=2&q=%C3%BC%20x")
        walk.number = 2
        walk.before = 30
        walk.items = 29
        walk.drifts = 1
        walk.unknown = 3
        walk.total = 77
        walk.candidate = "c"
        walk.expected = "f00"
        walk.isHeld = true
        walk.settled = "2026-01-02"
        walk.isCounted = true
        walk.isRecount = true
        state.walk = walk
        return state
    }

    @Test(arguments: [PullCheckpoint.Leg.list, .keys, .changes(since: "x"), .changes(since: "")])
    func `a state is saved with all values`(_ leg: PullCheckpoint.Leg) throws {
        let state = Self.full(leg)
        #expect(try kept(state) == state)
    }

    @Test func `each property is saved independently of the others`() throws {
        let full = Self.full(.list)
        let changes: [(inout ResourceState) -> Void] = [
            { $0.firstFullSync = full.firstFullSync }, { $0.cursor = full.cursor },
            { $0.version = full.version }, { $0.latest = full.latest },
            { $0.listRead = full.listRead },
            { $0.lastAttempt = full.lastAttempt },
            { $0.outcome = full.outcome }, { $0.message = full.message },
            { $0.lastSuccess = full.lastSuccess }, { $0.mismatch = full.mismatch },
            { $0.paging = full.paging }, { $0.changesProblem = full.changesProblem },
            { $0.parent = full.parent },
            { $0.walk = PullCheckpoint(.keys, run: "r") },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.next = full.walk?.next
            },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.total = 0
            },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.candidate = ""
            },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.expected = "e"
            },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.isCounted = true
            },
            {
                $0.walk = PullCheckpoint(.list, run: "r")
                $0.walk?.isRecount = true
            },
        ]
        for change in changes {
            var state = ResourceState(path: "films/", entity: "Film", generation: 0, reading: "")
            change(&state)
            #expect(try kept(state) == state)
        }
    }

    @Test func `a state replaces the previous state of its resource only`() throws {
        let other = ResourceState(path: "people/", entity: "Person", generation: 1, reading: "")
        #expect(try kept(other) == other)
        var state = Self.full(.list)
        // A list of one parent's children is not among the resources.
        state.parent = nil
        #expect(try kept(state) == state)
        state.walk = nil
        state.cursor = nil
        #expect(try kept(state) == state)
        #expect(try database.read { try ResourceState.all($0) } == [state, other])
        #expect(try database.read { try ResourceState.of("missing/", $0) } == nil)
    }

    /// Changes of a row by another program, and whether the checkpoint is still valid.
    static let damages: [(set: String, hasWalk: Bool)] = [
        ("leg = 'list'", true), ("leg = NULL", false), ("leg = ''", false),
        ("leg = 'everything'", false), ("run = NULL", false),
        ("leg = 'changes', since = NULL", false), ("leg = 'changes', since = 'x'", true),
        ("leg = 'list', since = 'x'", true),
        ("number = NULL, before = NULL, items = NULL, drifts = NULL", true),
        ("number = 0", false), ("number = -1", false), ("number = 9223372036854775807", false),
        ("before = -1", false), ("before = 9223372036854775807", false),
        ("items = -1", false), ("items = 9223372036854775807", false),
        ("drifts = -1", false), ("drifts = 9223372036854775807", false),
        ("total = -9223372036854775808", true), ("total = 9223372036854775807", true),
        ("next = ''", false), ("next = 'http://[', number = 1", false),
    ]

    @Test(arguments: damages)
    func `an invalid checkpoint is ignored, and the rest of the state is read`(
        _ set: String,
        _ hasWalk: Bool
    ) throws {
        let state = Self.full(.list)
        let found = try database.write { db in
            try state.save(db)
            try db.execute(sql: "UPDATE _tidemark_resource SET \(set)")
            return try ResourceState.of(state.path, db)
        }
        #expect((found?.walk != nil) == hasWalk)
        var expected = state
        expected.walk = found?.walk
        #expect(found == expected)
    }
}
