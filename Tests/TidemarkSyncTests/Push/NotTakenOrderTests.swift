import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Orders of lists that the service has accepted, and not taken: they are recorded as a whole.
struct NotTakenOrderTests {
    /// A playlist has tracks in an order.
    private static let model = Model(entities: [
        EntityDescription(
            "Playlist",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.many("tracks", "Track", inverse: "playlists", isOrdered: true)]
        ),
        EntityDescription(
            "Track",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("playlists", "Playlist", inverse: "tracks")]
        ),
    ])

    /// What a service does with a change of the playlist.
    private enum Habit {
        /// It sorts the tracks, and responds with the playlist.
        case sorting
        /// It sorts the tracks, and responds with nothing.
        case sortingSilently
        /// It takes the change, and responds with nothing.
        case silent
        /// It takes the change, and responds with the former playlist.
        case lagging
        /// It puts the last track first.
        case rotating
    }

    private static func mirror(
        _ habit: Habit,
        _ policies: ConflictPolicies = ConflictPolicies(),
        _ push: PushStyle = .rest,
        readable isReadable: Bool = true
    ) async throws -> PlainMirror {
        let service = PlainService([
            "playlists": [["id": 1, "name": "a", "track_ids": [1, 2, 3]]],
            "tracks": [["id": 1], ["id": 2], ["id": 3], ["id": 4]],
        ]) { request, lists in
            guard request.method == "PATCH" else {
                return request.steps.count > 1 && !isReadable
                    ? PlainService.Response(status: 405, body: ["detail": "no"]) : nil
            }
            let before = lists["playlists"]?.first
            lists["playlists"]?[0].assign(request.body ?? [:])
            if case .array(let tracks)? = request.body?["track_ids"] {
                lists["playlists"]?[0]["track_ids"] = .array(kept(tracks, by: habit))
            }
            return switch habit {
            case .sorting, .rotating: PlainService.Response(body: lists["playlists"]?.first)
            case .sortingSilently, .silent: PlainService.Response(status: 204)
            case .lagging: PlainService.Response(body: before)
            }
        }
        var mirror = try PlainMirror(
            model,
            [("Track", "tracks"), ("Playlist", "playlists")],
            with: service,
            push
        )
        mirror.conflicts = policies
        try await mirror.pull()
        return mirror
    }

    private static func kept(_ tracks: [FakeJSON], by habit: Habit) -> [FakeJSON] {
        switch habit {
        case .sorting, .sortingSilently: tracks.sorted { "\($0)" < "\($1)" }
        case .rotating: Array(tracks.suffix(1)) + Array(tracks.dropLast())
        case .silent, .lagging: tracks
        }
    }

    private static func order(_ keys: [Int], in mirror: PlainMirror) async throws {
        let tracks = try keys.map { try RecordLocator("Track:\($0)") }
        try await mirror.update("Playlist:1", links: ["tracks": tracks])
    }

    private static func tracks(_ mirror: PlainMirror) throws -> String {
        try mirror.store.read { reader in
            let playlist = try reader.record(RecordLocator("Playlist:1"), links: .only(["tracks"]))
            return (playlist.links["tracks"] ?? []).map(\.description).joined(separator: " ")
        }
    }

    private static func resolve(
        _ mirror: PlainMirror,
        taking choice: Conflicts.Choice
    ) async throws {
        try await mirror.store.write { writer in
            let conflicts = Conflicts(mirror.store)
            for conflict in try conflicts.list(writer.db) {
                let resolution = try conflicts.resolve(writer.db, conflict.id, taking: choice)
                #expect(!resolution.isStale)
            }
        }
    }

    private static let former = "Track#1 Track#2 Track#3"
    private static let sent = "Track#3 Track#1 Track#2"

    // MARK: Records

    @Test(arguments: [
        ("remoteWins", "remote"), ("localWins", "local"), ("manual", "open"),
    ])
    func `an order that was not taken is recorded with both orders`(
        policy: String,
        decision: String
    ) async throws {
        let policies: [String: ConflictPolicy] = [
            "remoteWins": .remoteWins, "localWins": .localWins, "manual": .manual,
        ]
        let mirror = try await Self.mirror(
            .sorting,
            ConflictPolicies(default: policies[policy] ?? .remoteWins)
        )
        try await Self.order([3, 1, 2], in: mirror)
        let pushed = try await mirror.push()
        #expect(pushed.total.notTaken == 1)
        let kept = decision == "remote" ? Self.former : Self.sent
        #expect(
            try mirror.recordedConflicts() == [
                "Playlist#1 notTaken tracks: [\(Self.former)], [\(Self.sent)], [\(Self.former)], "
                    + "[\(kept)] (\(decision))"
            ]
        )
        #expect(try Self.tracks(mirror) == kept)
        let reason = "the service has accepted the change, and kept its own value of tracks"
        let left: [String: [String]] = [
            "remote": [], "local": ["Playlist#1 update, rejected: \(reason)"],
            "open": ["Playlist#1 update, conflicted"],
        ]
        #expect(try mirror.changes() == left[decision])
        // It is not sent again by itself.
        _ = mirror.service.takeWrites()
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
        #expect(try Self.tracks(mirror) == kept)
    }

    @Test func `an order that only a list shows is read by its key before it is recorded`()
        async throws
    {
        let mirror = try await Self.mirror(.sortingSilently)
        try await Self.order([3, 1, 2], in: mirror)
        #expect(try await mirror.push().localChanges.unconfirmed == ["Playlist": 1])
        #expect(try Self.tracks(mirror) == Self.sent)
        let report = try await mirror.read()
        #expect(report.pushed.total.notTaken == 1)
        #expect(try mirror.recordedConflicts().count == 1)
        #expect(try Self.tracks(mirror) == Self.former)
        #expect(try mirror.unconfirmed() == [:])
    }

    @Test func `where objects cannot be read, the list decides about an order`() async throws {
        var style = PushStyle.rest
        style.check = .none
        let mirror = try await Self.mirror(
            .sortingSilently,
            ConflictPolicies(),
            style,
            readable: false
        )
        try await Self.order([3, 1, 2], in: mirror)
        _ = try await mirror.push()
        _ = try await mirror.read()
        #expect(try mirror.recordedConflicts().count == 1)
        #expect(try Self.tracks(mirror) == Self.former)
        #expect(try mirror.changes() == [])
    }

    @Test func `a removal that was taken does not hide an order that was not`() async throws {
        let mirror = try await Self.mirror(.sorting)
        try await Self.order([3, 1], in: mirror)
        _ = try await mirror.push()
        #expect(
            try mirror.recordedConflicts() == [
                "Playlist#1 notTaken tracks: [\(Self.former)], [Track#3 Track#1], "
                    + "[Track#1 Track#3], [Track#1 Track#3] (remote)"
            ]
        )
        #expect(try Self.tracks(mirror) == "Track#1 Track#3")
    }

    // MARK: Taken

    @Test func `an order that is shown is confirmed`() async throws {
        for habit in [Habit.silent, .lagging] {
            let mirror = try await Self.mirror(habit)
            try await Self.order([3, 1, 2], in: mirror)
            _ = try await mirror.push()
            _ = try await mirror.read()
            #expect(try mirror.recordedConflicts() == [], "\(habit)")
            #expect(try Self.tracks(mirror) == Self.sent, "\(habit)")
            #expect(try mirror.unconfirmed() == [:], "\(habit)")
        }
    }

    @Test func `a third order is what the service has made of it`() async throws {
        let mirror = try await Self.mirror(.rotating)
        try await Self.order([2, 1, 3], in: mirror)
        _ = try await mirror.engine().sync()
        #expect(try mirror.recordedConflicts() == [])
        #expect(try Self.tracks(mirror) == "Track#3 Track#2 Track#1")
    }

    @Test func `a removal alone does not change the order`() async throws {
        let mirror = try await Self.mirror(.silent)
        try await Self.order([2, 3], in: mirror)
        _ = try await mirror.engine().sync()
        #expect(try mirror.recordedConflicts() == [])
        #expect(try Self.tracks(mirror) == "Track#2 Track#3")
        #expect(try mirror.changes() == [])
    }

    @Test func `a later order takes over what the service had`() async throws {
        let mirror = try await Self.mirror(.sortingSilently)
        try await Self.order([3, 1, 2], in: mirror)
        _ = try await mirror.push()
        try await Self.order([3, 2, 1], in: mirror)
        _ = try await mirror.push()
        _ = try await mirror.read()
        #expect(
            try mirror.recordedConflicts() == [
                "Playlist#1 notTaken tracks: [\(Self.former)], [Track#3 Track#2 Track#1], "
                    + "[\(Self.former)], [\(Self.former)] (remote)"
            ]
        )
    }

    // MARK: Decisions

    @Test func `a user who takes the service's version gets its order`() async throws {
        for policy in [ConflictPolicy.manual, .localWins] {
            let mirror = try await Self.mirror(.sorting, ConflictPolicies(default: policy))
            try await Self.order([3, 1, 2], in: mirror)
            _ = try await mirror.push()
            try await Self.resolve(mirror, taking: .remote)
            #expect(try Self.tracks(mirror) == Self.former)
            _ = mirror.service.takeWrites()
            _ = try await mirror.engine().sync()
            #expect(mirror.service.takeWrites() == [])
            #expect(try mirror.changes() == [])
        }
    }

    @Test func `a user who takes the local version lets its order be sent again`() async throws {
        for policy in [ConflictPolicy.manual, .remoteWins] {
            let mirror = try await Self.mirror(.sorting, ConflictPolicies(default: policy))
            try await Self.order([3, 1, 2], in: mirror)
            _ = try await mirror.push()
            _ = mirror.service.takeWrites()
            try await Self.resolve(mirror, taking: .local)
            #expect(try Self.tracks(mirror) == Self.sent)
            _ = try await mirror.push()
            #expect(
                mirror.service.takeWrites() == [#"PATCH playlists/1 {"track_ids":[3,1,2]}"#]
            )
        }
    }
}
