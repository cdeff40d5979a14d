import Foundation
import GRDB
import Testing
import TidemarkRemote

@testable import TidemarkSync

/// Saving and reading the state of a resource.
struct ResourceStateTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
        try database.write { try SyncTables.create($0) }
    }

    /// Saves a state and a checkpoint, and expects to read them again.
    private func expectRoundTrip(
        _ state: ResourceState,
        _ checkpoint: PullCheckpoint?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let stored = try database.write { db in
            let url = URL(filePath: "/first")
            let isFirst = checkpoint?.position == .firstPage
            try state.save(db, CheckpointUpdate(checkpoint), firstPage: isFirst ? url : nil)
            return try ResourceState.of(state.path, db)
        }
        #expect(stored?.state == state, sourceLocation: sourceLocation)
        #expect(stored?.checkpoint == checkpoint, sourceLocation: sourceLocation)
    }

    private static func state(_ path: String, entity: String, generation: Int) -> ResourceState {
        ResourceState(path, with: .init(entity: entity, generation: generation, fingerprint: "f"))
    }

    /// Returns a state whose properties have distinct values.
    private static func full() -> ResourceState {
        var state = state("films/?a=\"b\"", entity: "Film", generation: 3)
        state.firstFullSync = Date(timeIntervalSince1970: 1_500_000_000.123456)
        state.cursor = "2026-01-02T03:04:05.678901Z"
        state.version = "\"1795305651006\""
        state.latest = "2026-01-02T03:04:06Z"
        state.listRead = Date(timeIntervalSince1970: 1_500_000_001.5)
        state.lastPull.attempt = Date(timeIntervalSince1970: 1_500_000_002)
        state.lastPull.outcome = "failed"
        state.lastPull.message = "“Über” \n \u{1F600}"
        state.lastPull.success = Date(timeIntervalSince1970: 1_500_000_003)
        state.mismatch = CountMismatch(count: 5, rows: 3)
        state.paging = StoredPaging(pagination: "page:p", total: "body:meta.total")
        state.changesProblem = ChangesProblem(.incomplete, after: ChangesProblem(.rejected))
        state.parent = ResourceState.Parent(resource: "films/{film}", row: 7, traversal: "t")
        return state
    }

    /// Returns a checkpoint whose properties have distinct values.
    private static func checkpoint(_ mode: FetchMode) -> PullCheckpoint {
        let url = URL(string: "https://a.example/films/?page=2&q=%C3%BC%20x") ?? URL(filePath: "/")
        let position = PullCheckpoint.Position.page(url: url, number: 2, before: 30)
        var checkpoint = PullCheckpoint(mode, run: "run 1", at: position)
        checkpoint.items = 29
        checkpoint.inconsistencies = 1
        checkpoint.itemsWithoutRow = 3
        checkpoint.total = 77
        checkpoint.cursor = .init(candidate: "c", isFinal: true, latestKnown: "2026-01-02")
        checkpoint.expectedDigest = "f00"
        checkpoint.isPagedByNumber = true
        checkpoint.isRecount = true
        return checkpoint
    }

    @Test(arguments: [FetchMode.list, .keys, .changes(since: "x"), .changes(since: "")])
    func `a state and a checkpoint are saved with all values`(_ mode: FetchMode) throws {
        try expectRoundTrip(Self.full(), Self.checkpoint(mode))
    }

    @Test func `each property is saved independently of the others`() throws {
        let full = Self.full()
        let changes: [(inout ResourceState) -> Void] = [
            { $0.firstFullSync = full.firstFullSync }, { $0.cursor = full.cursor },
            { $0.version = full.version }, { $0.latest = full.latest },
            { $0.listRead = full.listRead },
            { $0.lastPull.attempt = full.lastPull.attempt },
            { $0.lastPull.outcome = full.lastPull.outcome },
            { $0.lastPull.message = full.lastPull.message },
            { $0.lastPull.success = full.lastPull.success }, { $0.mismatch = full.mismatch },
            { $0.paging = full.paging }, { $0.changesProblem = full.changesProblem },
            { $0.parent = full.parent },
        ]
        for change in changes {
            var state = Self.state("films/", entity: "Film", generation: 0)
            change(&state)
            try expectRoundTrip(state, nil)
        }
        let checkpoint = Self.checkpoint(.list)
        let checkpointChanges: [(inout PullCheckpoint) -> Void] = [
            { $0.mode = .keys }, { $0.position = .firstPage },
            { $0.position = checkpoint.position }, { $0.items = 1 }, { $0.total = 0 },
            { $0.inconsistencies = 1 }, { $0.itemsWithoutRow = 1 }, { $0.cursor.candidate = "" },
            { $0.cursor.isFinal = true }, { $0.cursor.latestKnown = "s" },
            { $0.expectedDigest = "e" }, { $0.isPagedByNumber = true }, { $0.isRecount = true },
        ]
        for change in checkpointChanges {
            var checkpoint = PullCheckpoint(.list, run: "r")
            change(&checkpoint)
            try expectRoundTrip(Self.full(), checkpoint)
        }
    }

    @Test func `a state replaces the previous state of its resource only`() throws {
        let other = Self.state("people/", entity: "Person", generation: 1)
        try expectRoundTrip(other, nil)
        var state = Self.full()
        // A list of one parent's children is not among the resources.
        state.parent = nil
        try expectRoundTrip(state, Self.checkpoint(.list))
        state.cursor = nil
        try expectRoundTrip(state, nil)
        let all = try database.read { try ResourceState.all($0) }
        #expect(all.map(\.state) == [state, other])
        #expect(try database.read { try ResourceState.of("missing/", $0) } == nil)
    }

    @Test func `a state can be saved without its checkpoint`() throws {
        let (before, checkpoint) = (Self.full(), Self.checkpoint(.list))
        try expectRoundTrip(before, checkpoint)
        var after = Self.state(before.path, entity: "Film", generation: 4)
        after.cursor = "8"
        let stored = try database.write { db in
            try after.save(db, .keep)
            return try ResourceState.of(after.path, db)
        }
        #expect(stored?.state == after)
        #expect(stored?.checkpoint == checkpoint)
    }

    /// Changes of a row by another program, and whether the checkpoint is still valid.
    static let damages: [(set: String, hasCheckpoint: Bool)] = [
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
        _ hasCheckpoint: Bool
    ) throws {
        let state = Self.full()
        let stored = try database.write { db in
            try state.save(db, .save(Self.checkpoint(.list)))
            try db.execute(sql: "UPDATE _tidemark_resource SET \(set)")
            return try ResourceState.of(state.path, db)
        }
        #expect((stored?.checkpoint != nil) == hasCheckpoint)
        #expect(stored?.state == state)
    }
}
