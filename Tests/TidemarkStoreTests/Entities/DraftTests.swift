import Testing
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// Drafts, and what others have changed since they were made.
struct DraftTests {
    private let store: Store
    private let ada = RowID<Person>(1)

    init() throws {
        store = try Studio.store()
    }

    private func draft() throws -> Draft<Person> {
        Draft(try #require(try store.first(Person.filter { $0.rowID == ada })))
    }

    @Test func `a draft knows what was changed in it`() throws {
        var draft = try draft()
        #expect(try draft.changes == [])
        draft.age = 37
        draft.company = nil
        draft.name = "Ada"
        #expect(try draft.changes == ["age", "company"])
        #expect(draft.base.age == 36)
        #expect(draft.current.age == 37)
        draft.age = 36
        #expect(try draft.changes == ["company"])
    }

    @Test func `what was changed in the draft is written, and the rest stays as others left it`()
        throws
    {
        var draft = try draft()
        draft.name = "Ada L."
        draft.age = 40
        try store.update(ada) { person in
            person.status = .active
            person.boss = One(RowID(4))
            // The same change in both does not conflict.
            person.age = 40
        }
        let outcome = try store.save(draft)
        #expect(outcome.changed == ["name"])
        #expect(outcome.changedInStore == ["status", "boss"])
        #expect(outcome.conflicts.isEmpty)
        #expect(outcome.isSaved)
        #expect(outcome.record == (try store.fetch(Person.self, key: 1)))
        #expect(outcome.record.name == "Ada L." && outcome.record.status == .active)
        #expect(outcome.record.boss.rowID == RowID(4) && outcome.record.age == 40)
    }

    @Test(arguments: [
        (DraftConflictPolicy.mine, "Mine", "away", true, ["name", "status"]),
        (.theirs, "Theirs", "away", true, ["status"]),
        (.stop, "Theirs", "active", false, []),
    ])
    func `a property that was changed in both is decided by the policy`(
        _ policy: DraftConflictPolicy,
        _ name: String,
        _ status: String,
        _ isSaved: Bool,
        _ changed: [String]
    ) throws {
        try store.update(ada) { $0.status = .active }
        var draft = try draft()
        draft.name = "Mine"
        draft.status = .away
        try store.update(ada) { $0.name = "Theirs" }
        let outcome = try store.save(draft, onConflict: policy)
        #expect(outcome.record.name == name)
        #expect(outcome.record.status.rawValue == status)
        #expect(outcome.isSaved == isSaved)
        #expect(outcome.changed == changed)
        #expect(outcome.record == (try store.fetch(Person.self, key: 1)))
        let conflict = try #require(outcome.conflicts.first)
        #expect(outcome.conflicts.count == 1)
        #expect(conflict.property == "name")
        #expect([conflict.base, conflict.current, conflict.stored] == ["Ada", "Mine", "Theirs"])
    }

    @Test func `a draft of a deleted row is an error, and one of a new record inserts it`() throws {
        let draft = try draft()
        try store.delete(ada)
        let error = try #require(throws: StoreError.self) { try store.save(draft) }
        #expect(error.code == .rowNotFound)
        var new = Draft(Note("tea"))
        new.isDone = true
        let outcome = try store.save(new)
        #expect(outcome.record.rowID == RowID(6))
        #expect(outcome.changed == ["text", "isDone", "person"])
        #expect(try store.fetch(Note.filter { $0.isDone && $0.text == "tea" }) == [outcome.record])
    }
}
