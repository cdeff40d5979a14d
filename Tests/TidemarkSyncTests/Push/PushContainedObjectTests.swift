import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Objects without a key that a row contains: a response confirms what it shows of them.
struct PushContainedObjectTests {
    private static let former: FakeJSON = [
        "id": 1, "name": "Ada",
        "addresses": [
            ["city": "Bonn", "lines": [["text": "one"]]], ["city": "Kiel", "lines": []],
        ],
        "profile": ["color": "red"],
    ]

    /// How a service does not take a change.
    enum Edit: String, CaseIterable, Sendable {
        case city, line, addition, removal, profile, profileRemoval, all

        var sql: String {
            switch self {
            case .city: "UPDATE Address SET city = 'Ulm' WHERE _id = 1"
            case .line: "UPDATE Line SET text = 'two' WHERE _id = 1"
            case .addition: "INSERT INTO Address (city, user) VALUES ('Jena', 1)"
            case .removal: "DELETE FROM Address WHERE _id = 2"
            case .profile: "UPDATE Profile SET color = 'blue' WHERE _id = 1"
            case .profileRemoval: "DELETE FROM Profile WHERE _id = 1"
            case .all:
                """
                DELETE FROM Line WHERE address = 1; DELETE FROM Address WHERE _id = 1; \
                UPDATE Profile SET color = 'blue' WHERE _id = 1
                """
            }
        }

        var properties: [String] {
            switch self {
            case .city, .line, .addition, .removal: ["addresses"]
            case .profile, .profileRemoval: ["profile"]
            case .all: ["addresses", "profile"]
            }
        }
    }

    /// What a service does with changes of a user, and what its responses contain.
    private enum Behavior: Sendable {
        /// It keeps what it has, and returns that.
        case refusing
        /// It keeps what it has, and returns nothing.
        case silentlyRefusing
        /// It applies them, and returns nothing.
        case silent
    }

    // Objects that are not readable can be read by their keys until the first change.
    private static func mirror(
        _ behavior: Behavior = .refusing,
        _ policies: ConflictPolicies = ConflictPolicies(),
        users: [FakeJSON] = [former],
        _ push: PushStyle = .rest,
        readable isReadable: Bool = true
    ) async throws -> PlainMirror {
        let service = PlainService(["users": users]) { request, lists in
            let isObject = request.steps.count > 1
            switch request.method {
            case "GET":
                return isObject && lists["closed"] != nil
                    ? PlainService.Response(status: 405, body: ["detail": "no"]) : nil
            case "PATCH", "PUT":
                if !isReadable { lists["closed"] = [] }
                switch behavior {
                case .refusing: return PlainService.Response(body: lists["users"]?.first)
                case .silentlyRefusing: return PlainService.Response(status: 204)
                case .silent:
                    lists["users"]?[0].assign(request.body ?? [:])
                    return PlainService.Response(status: 204)
                }
            default: return nil
            }
        }
        var mirror = try PlainMirror(.contacts, [("User", "users")], with: service, push)
        mirror.conflicts = policies
        try await mirror.pull()
        return mirror
    }

    /// The users with what they contain, as JSON.
    private static func users(_ mirror: PlainMirror) throws -> [String] {
        let importer = Importer(mirror.store)
        return try mirror.store.read { reader in
            try reader.fetch(RecordRequest("User")).map { user in
                try ["addresses", "profile"].map { name in
                    try importer.knownParts(
                        reader.db,
                        #require(reader.layout.relationships["User.\(name)"]),
                        of: user.reference,
                        before: nil
                    )
                }
                .joined(separator: " ")
            }
        }
    }

    // MARK: Not taken

    @Test(arguments: Edit.allCases)
    func `what a response and the object show as before was not taken`(edit: Edit) async throws {
        for behavior in [Behavior.refusing, .silentlyRefusing] {
            let mirror = try await Self.mirror(behavior)
            let before = try Self.users(mirror)
            try await mirror.edit(edit.sql)
            let local = try Self.users(mirror)
            #expect(local != before, "\(edit)")
            let pushed = try await mirror.push()
            if case .silentlyRefusing = behavior {
                #expect(pushed.localChanges.unconfirmed == ["User": 1], "\(edit)")
                #expect(try Self.users(mirror) == local, "\(edit)")
                let read = try await mirror.read()
                #expect(read.pushed.total.notTaken == 1, "\(edit)")
            } else {
                #expect(pushed.total.notTaken == 1, "\(edit)")
            }
            #expect(try Self.users(mirror) == before, "\(edit)")
            let conflicts = try mirror.recordedConflicts()
            #expect(conflicts.count == edit.properties.count, "\(edit): \(conflicts)")
            for (conflict, property) in zip(conflicts, edit.properties) {
                #expect(conflict.hasPrefix("User#1 notTaken \(property): "), "\(edit)")
                #expect(conflict.hasSuffix("(remote)"), "\(edit)")
            }
            #expect(try mirror.changes() == [], "\(edit)")
            #expect(try mirror.unconfirmed() == [:], "\(edit)")
            let damage = try await mirror.store.read { try Store.integrityErrors($0.db) }
            #expect(damage.isEmpty, "\(edit)")
        }
    }

    @Test func `a policy keeps the local objects, and their change is rejected`() async throws {
        let mirror = try await Self.mirror(.refusing, ConflictPolicies(default: .localWins))
        try await mirror.edit(Edit.city.sql)
        let local = try Self.users(mirror)
        _ = try await mirror.push()
        #expect(try Self.users(mirror) == local)
        #expect(
            try mirror.changes() == [
                """
                User#1 update, rejected: the service has accepted the change, and kept its own \
                value of addresses
                """
            ]
        )
        _ = mirror.service.takeWrites()
        _ = try await mirror.engine().sync()
        #expect(mirror.service.takeWrites() == [])
        try await mirror.edit("UPDATE Address SET city = 'Trier' WHERE city = 'Ulm'")
        _ = try await mirror.push()
        let sent = mirror.service.takeWrites()
        #expect(sent.count == 1)
        #expect(sent.first?.contains("Trier") == true)
    }

    @Test func `a user decides about objects that were not taken`() async throws {
        let mirror = try await Self.mirror(.refusing, ConflictPolicies(default: .manual))
        let before = try Self.users(mirror)
        try await mirror.edit(Edit.city.sql)
        let local = try Self.users(mirror)
        _ = try await mirror.push()
        #expect(try mirror.changes() == ["User#1 update, conflicted"])
        #expect(try Self.users(mirror) == local)
        try await mirror.store.write { writer in
            _ = try Conflicts(mirror.store).resolve(writer.db, 1, taking: .remote)
        }
        #expect(try Self.users(mirror) == before)
        #expect(try mirror.changes() == [])
    }

    @Test(arguments: [Conflicts.Choice.local, .remote])
    func `a user closes the conflict of a row that the service has deleted since`(
        choice: Conflicts.Choice
    ) async throws {
        let mirror = try await Self.mirror(.refusing, ConflictPolicies(default: .manual))
        try await mirror.edit(Edit.city.sql)
        _ = try await mirror.push()
        mirror.service.remove("users", 1)
        _ = try await mirror.read()
        #expect(try Self.users(mirror) == [])
        try await mirror.store.write { writer in
            let conflicts = Conflicts(mirror.store)
            for conflict in try conflicts.list(writer.db, filter: .open) {
                _ = try conflicts.resolve(writer.db, conflict.id, taking: choice)
            }
            #expect(try conflicts.list(writer.db, filter: .open).isEmpty)
        }
        #expect(try mirror.changes() == [])
    }

    @Test func `an edit that came later is sent, with what the service has as its base`()
        async throws
    {
        let mirror = try await Self.mirror(.silentlyRefusing)
        try await mirror.edit(Edit.city.sql)
        _ = try await mirror.push()
        try await mirror.edit("UPDATE Address SET city = 'Trier' WHERE city = 'Ulm'")
        let local = try Self.users(mirror)
        _ = try await mirror.read()
        #expect(try Self.users(mirror) == local)
        #expect(try mirror.recordedConflicts() == [])
        #expect(try mirror.changes() == ["User#1 update, pending"])
        try await mirror.edit("UPDATE Address SET city = 'Bonn' WHERE city = 'Trier'")
        _ = mirror.service.takeWrites()
        _ = try await mirror.push()
        #expect(mirror.service.takeWrites() == [])
    }

    @Test func `where objects cannot be read any more, the list decides`() async throws {
        var style = PushStyle.rest
        style.check = .none
        for edit in [Edit.city, .line, .addition, .removal] {
            let mirror = try await Self.mirror(
                .silentlyRefusing,
                ConflictPolicies(),
                style,
                readable: false
            )
            let before = try Self.users(mirror)
            try await mirror.edit(edit.sql)
            _ = try await mirror.push()
            _ = try await mirror.read()
            #expect(try Self.users(mirror) == before, "\(edit)")
            #expect(try mirror.recordedConflicts().count == edit.properties.count, "\(edit)")
            #expect(try mirror.changes() == [], "\(edit)")
        }
    }

    // MARK: Taken, or not known

    @Test(arguments: Edit.allCases)
    func `what the next list shows is confirmed`(edit: Edit) async throws {
        let mirror = try await Self.mirror(.silent)
        try await mirror.edit(edit.sql)
        let local = try Self.users(mirror)
        #expect(try await mirror.push().localChanges.unconfirmed == ["User": 1])
        let read = try await mirror.read()
        #expect(read.pushed.localChanges.unconfirmed == [:])
        #expect(try Self.users(mirror) == local)
        #expect(try mirror.recordedConflicts() == [])
        #expect(try mirror.changes() == [])
    }

    @Test func `a third version is what the service has made of the objects`() async throws {
        let mirror = try await Self.mirror(.silent)
        try await mirror.edit(Edit.city.sql)
        _ = try await mirror.push()
        mirror.service["users", 1]?["addresses"] = [["city": "ULM", "lines": []]]
        #expect(try await mirror.read().pushed.localChanges.unconfirmed == [:])
        #expect(try Self.users(mirror)[0].contains("ULM"))
        #expect(try mirror.recordedConflicts() == [])
    }

    @Test func `a list that lags does not undo what the object shows`() async throws {
        let mirror = try await Self.mirror(.silent)
        try await mirror.edit(Edit.city.sql)
        let local = try Self.users(mirror)
        _ = try await mirror.push()
        let object = mirror.service["users", 1]
        let lagging = try PlainMirror.lagging(mirror, by: Self.former)
        _ = try await lagging.read()
        #expect(mirror.service["users", 1] == object)
        #expect(try Self.users(mirror) == local)
        #expect(try mirror.recordedConflicts() == [])
        #expect(try mirror.unconfirmed() == [:])
    }

    @Test func `objects that no list shows are named after three lists`() async throws {
        let mirror = try await Self.mirror(.silent)
        try await mirror.edit(Edit.city.sql)
        let local = try Self.users(mirror)
        _ = try await mirror.push()
        mirror.service["users", 1]?["addresses"] = nil
        var notShown: [RowReference] = []
        for _ in 0..<3 {
            #expect(notShown.isEmpty)
            notShown += try await mirror.read().pushed.notShown
        }
        #expect(notShown == [RowReference("User", 1)])
        #expect(try Self.users(mirror) == local)
        #expect(try mirror.unconfirmed() == [:])
    }

    // MARK: Creations

    /// A service that creates users without addresses.
    private static func forgetful(
        _ policies: ConflictPolicies = ConflictPolicies(),
        responding isShown: Bool
    ) async throws -> PlainMirror {
        let service = PlainService(["users": []]) { request, lists in
            guard request.method == "POST" else { return nil }
            var object: FakeJSON = ["id": 7, "name": .null, "addresses": []]
            object["name"] = request.body?["name"]
            lists["users"]?.append(object)
            return PlainService.Response(status: 201, body: isShown ? object : ["id": 7])
        }
        var mirror = try PlainMirror(.contacts, [("User", "users")], with: service)
        mirror.conflicts = policies
        try await mirror.pull()
        return mirror
    }

    @Test(arguments: [true, false])
    func `a new object that lacks what it was sent with has not taken it`(
        isShown: Bool
    ) async throws {
        for (policies, kept) in [
            (ConflictPolicies(), 0), (ConflictPolicies(default: .localWins), 1),
        ] {
            let mirror = try await Self.forgetful(policies, responding: isShown)
            try await mirror.edit(
                """
                INSERT INTO User (name) VALUES ('Eve');
                INSERT INTO Address (city, user) VALUES ('Rom', 1)
                """
            )
            _ = try await mirror.push()
            _ = try await mirror.read()
            let addresses = try await mirror.store.read { try $0.count("Address") }
            #expect(addresses == kept)
            let conflicts = try mirror.recordedConflicts()
            #expect(conflicts.count == 1, "\(conflicts)")
            #expect(conflicts.first?.hasPrefix("User#1 notTaken addresses: ") == true)
            #expect(try mirror.changes().count == kept)
        }
    }

    @Test func `a new object that shows what it was sent with is confirmed`() async throws {
        let mirror = try PlainMirror(
            .contacts,
            [("User", "users")],
            with: PlainService(["users": []])
        )
        try await mirror.pull()
        try await mirror.edit(
            """
            INSERT INTO User (name) VALUES ('Eve');
            INSERT INTO Address (city, user) VALUES ('Rom', 1)
            """
        )
        #expect(try await mirror.push().localChanges.unconfirmed == [:])
        _ = try await mirror.read()
        #expect(try await mirror.store.read { try $0.count("Address") } == 1)
        #expect(try mirror.recordedConflicts() == [])
        #expect(try mirror.changes() == [])
    }
}

extension PlainMirror {
    /// The same store, whose list shows a former object.
    fileprivate static func lagging(
        _ mirror: PlainMirror,
        by former: FakeJSON
    ) throws -> PlainMirror {
        let service = mirror.service
        let list = PlainService(["users": []]) { request, _ in
            request.steps.count > 1
                ? PlainService.Response(body: service["users", 1])
                : PlainService.Response(body: .array([former]))
        }
        return mirror.over(list)
    }

    /// The same store over another service.
    fileprivate func over(_ service: PlainService) -> PlainMirror {
        var other = self
        other.service = service
        return other
    }
}
