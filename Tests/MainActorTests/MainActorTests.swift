import Testing
import Tidemark
import TidemarkMacros

enum Mood: String, AttributeValue { case calm, busy }

nonisolated struct Address: Codable, Hashable { var city: String }

@Entity struct Member: Hashable {
    let id: Int
    var name: String
    var mood: Mood = .calm
    @JSON var address: Address?
    @Transient var isSelected = false
    @Relationship(inverse: "member", deleteRule: .cascade) var loans: Many<Loan>
}

@Entity struct Loan: Hashable {
    var remoteID: Int?
    var title: String
    @Relationship(inverse: "loans") var member: One<Member>
}

/// Code of an app whose module has the main actor as its default isolation.
struct MainActorTests {
    private let store: Store

    init() throws {
        store = try Store.inMemory(model: Model(Member.self, Loan.self))
    }

    @Test func `records are written and read off the main actor`() async throws {
        let names = try await store.write { writer in
            let ada = try writer.insert(
                Member(id: 1, name: "Ada", address: Address(city: "London"))
            )
            try writer.insert(Loan(title: "Notes", member: One(ada)))
            try writer.update(ada.rowID) { $0.mood = .busy }
            return try writer.fetch(Member.filter { $0.loans.contains { $0.title == "Notes" } })
                .map { "\($0.name) \($0.mood) \($0.address?.city ?? "-")" }
        }
        #expect(names == ["Ada busy London"])
    }

    @Test func `a list shows the rows on the main actor`() async throws {
        try await store.insert(Member(id: 1, name: "Ada"))
        let list = LiveList(Member.sorted(by: \.name), in: store)
        for try await members in store.live(Member.sorted(by: \.name)) {
            #expect(members.map(\.name) == ["Ada"])
            break
        }
        #expect(list.isLoading == list.rows.isEmpty)
    }
}
