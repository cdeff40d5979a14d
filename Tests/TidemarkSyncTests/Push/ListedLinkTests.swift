import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

@testable import TidemarkSync

/// Links of a one-to-many relationship that the service keeps in the list of the parent: the list
/// alone confirms them.
struct ListedLinkTests {
    /// A board has cards.
    private static let model = Model(entities: [
        EntityDescription(
            "Board",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.many("cards", "Card", inverse: "board")]
        ),
        EntityDescription(
            "Card",
            attributes: [Attribute("id", .integer64), Attribute("name", .string)],
            relationships: [.one("board", "Board", inverse: "cards")]
        ),
    ])

    /// What cards show of their board.
    enum Reference: CaseIterable {
        /// Nothing.
        case absent
        /// The board.
        case shown
    }

    /// A board with the cards 1 and 2, and an empty one, of a service whose cards show a reference,
    /// and that changes the lists of boards or ignores them.
    private static func mirror(
        _ reference: Reference,
        takesLists: Bool = true
    ) async throws -> PlainMirror {
        let cards = (1...2).map { key -> FakeJSON in
            var card: FakeJSON = ["id": .number("\(key)"), "name": "c"]
            switch reference {
            case .absent: break
            case .shown: card["board_id"] = 1
            }
            return card
        }
        let service = PlainService([
            "boards": [
                ["id": 1, "name": "a", "card_ids": [1, 2]],
                ["id": 2, "name": "b", "card_ids": []],
            ],
            "cards": cards,
        ]) { request, lists in
            respond(to: request, reference, takesLists: takesLists, &lists)
        }
        var mirror = try PlainMirror(
            model,
            [("Board", "boards"), ("Card", "cards")],
            with: service
        )
        mirror.conflicts = ConflictPolicies(default: .manual)
        try await mirror.pull()
        return mirror
    }

    /// Lets cards have no board of their own, and boards with references no list of their own.
    private static func respond(
        to request: PlainService.Request,
        _ reference: Reference,
        takesLists: Bool,
        _ lists: inout PlainService.Lists
    ) -> PlainService.Response? {
        guard let list = request.steps.first, request.method != "GET", var body = request.body,
            var objects = lists[list]
        else { return nil }
        let isNew = request.method == "POST"
        let key = isNew ? "\(1_000 + objects.count)" : request.steps[1]
        if list == "boards", reference == .shown || !takesLists { body["card_ids"] = nil }
        if list == "cards", reference == .absent { body["board_id"] = nil }
        if isNew {
            var object: FakeJSON = ["id": .number(key)]
            if list == "boards" { object["card_ids"] = [] }
            objects.append(object)
        }
        guard let index = objects.firstIndex(where: { $0["id"]?.description == key }) else {
            return nil
        }
        objects[index].assign(body)
        lists[list] = objects
        if reference == .shown { fillLists(&lists) }
        return PlainService.Response(status: isNew ? 201 : 200, body: lists[list]?[index])
    }

    /// Lets the lists of boards be what the references say.
    private static func fillLists(_ lists: inout PlainService.Lists) {
        for index in (lists["boards"] ?? []).indices {
            let board = lists["boards"]?[index]["id"]
            let cards = (lists["cards"] ?? []).filter { $0["board_id"] == board }
            lists["boards"]?[index]["card_ids"] = .array(cards.compactMap { $0["id"] })
        }
    }

    /// The cards of each board, by the names of the rows.
    private static func boards(_ mirror: PlainMirror) throws -> [String] {
        try mirror.store.read { reader in
            let request = RecordRequest("Board", sort: [.init("id")], links: .only(["cards"]))
            return try reader.fetch(request).map { board in
                let cards = (board.links["cards"] ?? []).map(\.description).sorted()
                return "\(board.reference): \(cards.joined(separator: " "))"
            }
        }
    }

    /// Syncs twice, and expects that all was taken.
    private static func sync(
        _ mirror: PlainMirror,
        _ expected: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<2 {
            _ = try await mirror.engine().sync()
            #expect(try boards(mirror) == expected, sourceLocation: sourceLocation)
            #expect(try mirror.recordedConflicts() == [], sourceLocation: sourceLocation)
            #expect(try mirror.changes() == [], sourceLocation: sourceLocation)
            #expect(try mirror.unconfirmed() == [:], sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: Reference.allCases)
    func `a new card of a board is taken`(reference: Reference) async throws {
        let mirror = try await Self.mirror(reference)
        try await mirror.store.write { writer in
            _ = try writer.insert(
                "Card",
                values: ["name": .string("new")],
                links: ["board": [RecordLocator("Board:1")]]
            )
        }
        try await Self.sync(mirror, ["Board#1: Card#1 Card#2 Card#3", "Board#2: "])
        #expect(mirror.service["boards", 1]?["card_ids"] == [1, 2, 1002])
    }

    @Test(arguments: Reference.allCases)
    func `a card that moves is taken`(reference: Reference) async throws {
        let mirror = try await Self.mirror(reference)
        try await mirror.update("Card:1", links: ["board": [RecordLocator("Board:2")]])
        try await Self.sync(mirror, ["Board#1: Card#2", "Board#2: Card#1"])
        #expect(mirror.service["boards", 1]?["card_ids"] == [2])
        #expect(mirror.service["boards", 2]?["card_ids"] == [1])
    }

    @Test(arguments: Reference.allCases)
    func `a card that leaves its board is taken`(reference: Reference) async throws {
        let mirror = try await Self.mirror(reference)
        try await mirror.update("Card:1", links: ["board": []])
        try await Self.sync(mirror, ["Board#1: Card#2", "Board#2: "])
        #expect(mirror.service["boards", 1]?["card_ids"] == [2])
    }

    @Test(arguments: Reference.allCases)
    func `a new card of a new board is taken`(reference: Reference) async throws {
        let mirror = try await Self.mirror(reference)
        try await mirror.store.write { writer in
            _ = try writer.insert("Board", values: ["name": .string("new")])
            _ = try writer.insert(
                "Card",
                values: ["name": .string("new")],
                links: ["board": [RecordLocator("Board#3")]]
            )
        }
        try await Self.sync(
            mirror,
            ["Board#1: Card#1 Card#2", "Board#2: ", "Board#3: Card#3"]
        )
        #expect(mirror.service["boards", 1002]?["card_ids"] == [1002])
    }

    @Test func `a list that was not taken is a conflict of the board alone`() async throws {
        let mirror = try await Self.mirror(.absent, takesLists: false)
        try await mirror.update("Card:1", links: ["board": [RecordLocator("Board:2")]])
        _ = try await mirror.engine().sync()
        #expect(
            try mirror.recordedConflicts().sorted() == [
                "Board#1 notTaken cards: [Card#1], [], [Card#1], [] (open)",
                "Board#2 notTaken cards: [], [Card#1], [], [Card#1] (open)",
            ]
        )
    }
}
