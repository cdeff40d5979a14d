import Foundation
import GRDB
import Testing
import Tidemark
import TidemarkMacros
import TidemarkTestSupport

/// The code of the guide “Live lists”.
@Suite(.timeLimit(.minutes(40)))
struct LiveListsTests {
    private let console = GuideConsole()

    private func print(_ items: Any...) { console.write(items) }

    // MARK: Sequences

    @Test func `a sequence follows all writers`() async throws {
        let store = try Guide.store()
        let reading = Task {
            // snippet.sequence
            for try await users in store.live(User.filter { $0.age >= 18 }.sorted(by: \.name)) {
                print(users.map(\.name), users.changes?.insertions.count ?? 0)
            }
            // snippet.end
        }
        #expect(await console.next(1) == [#"["Ada", "Ben"] 0"#])
        try await store.insert(User(id: 4, name: "Abe", age: 50))
        #expect(await console.next(1) == [#"["Abe", "Ada", "Ben"] 1"#])
        // Neither is loaded by the request.
        try await store.insert(User(id: 5, name: "Tim", age: 3))
        try await store.insert(Note(text: "Buy bread"))
        try await store.write { writer in
            try writer.db.execute(sql: "UPDATE User SET age = 18 WHERE name = 'Eve'")
        }
        #expect(await console.next(1) == [#"["Abe", "Ada", "Ben", "Eve"] 1"#])
        reading.cancel()
        try await reading.value
    }

    /// A user without age, company and notes, whose status has no default.
    @Entity("User") struct UserName {
        let id: Int
        var name: String
        var status: Status
    }

    @Test func `a slow loop gets the latest state, and no state without a difference`()
        async throws
    {
        let store = try Guide.store()
        var snapshots = store.live(UserName.sorted(by: \.name)).makeAsyncIterator()
        let first = try #require(try await snapshots.next())
        #expect(first.map(\.name) == ["Ada", "Ben", "Eve"])
        // The record type lacks the age.
        try await store.update(RowID<User>(1)) { $0.age = 40 }
        try await store.import(
            #"[{"id": 9, "name": "Zoe"}]"#,
            as: User.self,
            options: ImportOptions(operations: .upsert)
        )
        try await store.insert(User(id: 4, name: "Abe"))
        let second = try #require(try await snapshots.next())
        #expect(second.map(\.name) == ["Abe", "Ada", "Ben", "Eve", "Zoe"])
        #expect(second.changes?.insertions.map(\.item) == [0, 4])
        #expect(second.changes?.updates == [])
    }

    @Test func `unreadable rows are listed, and a migration ends the loop`() async throws {
        let store = try Guide.store()
        var snapshots = store.live(UserName.sorted(by: \.name)).makeAsyncIterator()
        #expect(try await snapshots.next()?.count == 3)
        try await store.write { writer in
            try writer.db.execute(sql: "UPDATE User SET status = 'gone' WHERE name = 'Ben'")
        }
        let snapshot = try #require(try await snapshots.next())
        #expect(snapshot.map(\.name) == ["Ada", "Eve"])
        #expect(snapshot.unreadable.map { "\($0.row)" } == ["User#2"])
        #expect(snapshot.total == 3)
        _ = try store.migrate(to: Model(UserName.self))
        let error = await #expect(throws: StoreError.self) { _ = try await snapshots.next() }
        #expect(error?.code == .outdated)
    }

    @Test func `one row is followed until it is deleted`() async throws {
        let store = try Guide.store()
        let ada = try #require(try await store.fetch(User.self, key: 1))
        let reading = Task {
            // snippet.row
            for try await snapshot in store.live(ada.rowID) {
                guard let user = snapshot.first else { break }
                print(user.name, user.age)
            }
            // snippet.end
        }
        #expect(await console.next(1) == ["Ada 36"])
        try await store.update(ada.rowID) { $0.age = 37 }
        #expect(await console.next(1) == ["Ada 37"])
        try await store.delete(ada.rowID)
        try await reading.value
    }

    @Test func `sections come with the rows`() async throws {
        let store = try Guide.store()
        let reading = Task {
            // snippet.sections
            let request = User.sorted(by: \.name)
                .sections(by: \.company.name) { name in name ?? "No company" }
            for try await users in store.live(request) {
                for section in users.sections {
                    print(section.title, section.map(\.name))
                }
            }
            // snippet.end
        }
        #expect(
            await console.next(3) == [
                #"No company ["Eve"]"#, #"Acme ["Ada"]"#, #"Babbage ["Ben"]"#,
            ]
        )
        try await store.update(RowID<User>(3)) { $0.company = One(RowID(1)) }
        #expect(await console.next(2) == [#"Acme ["Ada", "Eve"]"#, #"Babbage ["Ben"]"#])
        reading.cancel()
        try await reading.value
    }

    @Test func `a window loads a part of the rows`() async throws {
        let store = try Guide.store()
        let reading = Task {
            // snippet.window
            for try await users in store.live(User.sorted(by: \.name), window: 0..<2) {
                print(users.map(\.name), "of", users.total)
            }
            // snippet.end
        }
        #expect(await console.next(1) == [#"["Ada", "Ben"] of 3"#])
        try await store.insert(User(id: 4, name: "Abe"))
        #expect(await console.next(1) == [#"["Abe", "Ada"] of 4"#])
        reading.cancel()
        try await reading.value
    }

    @Test func `a store that was opened for reading follows another process`() async throws {
        let folder = try Folder()
        let path = folder.filePath("users.sqlite")
        try Guide.fill(Store.validated(at: path, model: Guide.model))
        let reading = Task {
            // snippet.process
            let store = try Store.openReadOnly(at: path)
            let users = store.live(User.sorted(by: \.name))
            // snippet.end
            for try await snapshot in users { print(snapshot.map(\.name)) }
        }
        #expect(await console.next(1) == [#"["Ada", "Ben", "Eve"]"#])
        let other = try DatabaseQueue(path: path)
        try await other.write { db in try db.execute(sql: "DELETE FROM User WHERE name = 'Ben'") }
        #expect(await console.next(1) == [#"["Ada", "Eve"]"#])
        reading.cancel()
        try await reading.value
    }

    // MARK: Differences

    @Test func `differences update a list in the terminal`() async throws {
        let store = try Guide.store()
        let reading = Task {
            // snippet.terminal
            var lines: [String] = []
            for try await users in store.live(User.sorted(by: \.name)) {
                if let changes = users.changes {
                    let removed = changes.deletions + changes.moves.map(\.old)
                    for position in removed.sorted(by: >) { lines.remove(at: position.item) }
                    let added = changes.insertions + changes.moves.map(\.new)
                    for position in added.sorted() {
                        lines.insert(users[position].name, at: position.item)
                    }
                    for move in changes.updates { lines[move.new.item] = users[move.new].name }
                } else {
                    lines = users.map(\.name)
                }
                print(lines)
            }
            // snippet.end
        }
        #expect(await console.next(1) == [#"["Ada", "Ben", "Eve"]"#])
        try await store.write { writer in
            try writer.insert(User(id: 4, name: "Cleo"))
            try writer.update(RowID<User>(3)) { $0.name = "Abe" }
            try writer.delete(RowID<User>(2))
        }
        #expect(await console.next(1) == [#"["Abe", "Ada", "Cleo"]"#])
        try await store.update(RowID<User>(1)) { $0.name = "Adam" }
        #expect(await console.next(1) == [#"["Abe", "Adam", "Cleo"]"#])
        reading.cancel()
        try await reading.value
    }

    @MainActor
    @Test func `differences update a collection view`() async throws {
        let store = try Guide.store()
        let (source, view) = (UserSource(), UICollectionView())
        view.dataSource = source
        let request = User.sorted(by: \.name)
            .sections(by: \.company.name) { name in name ?? "No company" }
        var snapshots = store.live(request).makeAsyncIterator()
        let edits: [@Sendable (StoreWriter) throws -> Void] = [
            { _ in },
            { try $0.insert(User(id: 4, name: "Abe", company: One(RowID(1)))) },
            // Its section goes, and it is updated in another one.
            { writer in
                try writer.update(RowID<User>(3)) { user in
                    user.name = "Al"
                    user.company = One(RowID(1))
                }
            },
            { try $0.update(RowID<User>(1)) { $0.name = "Zoe" } },
            // A section comes.
            { try $0.update(RowID<User>(4)) { $0.company = nil } },
            { writer in
                try writer.delete(RowID<User>(2))
                try writer.insert(User(id: 5, name: "Kim", company: One(RowID(2))))
            },
            { try $0.delete(User.all) },
        ]
        for (number, edit) in edits.enumerated() {
            if number > 0 { try await store.write { writer in try edit(writer) } }
            let users = try #require(try await snapshots.next())
            show(users, of: source, in: view)
            #expect(view.isConsistent)
            #expect(view.cells == users.sections.map { $0.map(\.name) })
            let stored = try await store.fetch(request)
            #expect(Array(users) == stored)
        }
        #expect(view.cells == [])
    }

    // MARK: Views

    @MainActor
    @Test func `a view shows the rows of a LiveList`() async throws {
        let store = try Guide.store()
        let view = UserList(store: store)
        #expect(view.texts == ["…"])
        await Observed.wait { view.texts.count == 3 }
        #expect(view.texts == ["Ada", "Ben", "Eve"])
        try await store.insert(User(id: 4, name: "Abe"))
        await Observed.wait { view.texts.count == 4 }
        #expect(view.texts == ["Abe", "Ada", "Ben", "Eve"])
    }

    @MainActor
    @Test func `the window of a list follows what is on the screen`() async throws {
        let store = try Guide.store()
        let users = LiveList(User.sorted(by: \.name), in: store, window: 0..<1)
        await Observed.wait { !users.isLoading }
        #expect(users.rows.map(\.name) == ["Ada"])
        #expect(users.rows.total == 3)
        users.window = 1..<3
        await Observed.wait { users.rows.count == 2 }
        #expect(users.rows.map(\.name) == ["Ben", "Eve"])
        #expect(users.rows.total == 3)
    }

    @MainActor
    @Test func `a view replaces the request of its list`() async throws {
        let view = UserSearch(store: try Guide.store())
        await Observed.wait { view.texts.count == 6 }
        #expect(view.texts == ["# A", "Ada", "# B", "Ben", "# E", "Eve"])
        view.search("E")
        await Observed.wait { view.texts.count == 4 }
        #expect(view.texts == ["# B", "Ben", "# E", "Eve"])
    }
}

// snippet.view
struct UserList: View {
    @State private var users: LiveList<User>

    init(store: Store) {
        _users = State(initialValue: LiveList(User.sorted(by: \.name), in: store))
    }

    var body: some View {
        if let error = users.error {
            Text(error.localizedDescription)
        } else if users.isLoading {
            ProgressView()
        } else {
            List(users.rows) { user in Text(user.name) }
        }
    }
}
// snippet.end

// snippet.search
struct UserSearch: View {
    @State private var users: LiveList<User>
    @State private var text = ""

    init(store: Store) {
        _users = State(initialValue: LiveList(Self.request(""), in: store))
    }

    var body: some View {
        List {
            ForEach(users.rows.sections, id: \.title) { section in
                Section(section.title) {
                    ForEach(section) { user in Text(user.name) }
                }
            }
        }
        .searchable(text: $text)
        .onChange(of: text) { search(text) }
    }

    func search(_ text: String) { users.request = Self.request(text) }

    private static func request(_ text: String) -> EntityRequest<User> {
        User.filter { $0.name.contains(text, folding: .caseInsensitive) }
            .sections(by: \.name) { name in String(name?.prefix(1) ?? "?") }
    }
}
// snippet.end

/// The data source of a collection view.
@MainActor
final class UserSource: UICollectionViewDataSource {
    var users: LiveSnapshot<User>?

    func numberOfSections(in collectionView: UICollectionView) -> Int {
        users?.sections.count ?? 0
    }

    func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        users?.sections[section].count ?? 0
    }

    func collectionView(
        _ view: UICollectionView,
        cellForItemAt indexPath: IndexPath
    ) -> String {
        users?.sections[indexPath[0]][indexPath[1]].name ?? ""
    }
}

// snippet.collection
@MainActor
func show(_ users: LiveSnapshot<User>, of source: UserSource, in view: UICollectionView) {
    guard let changes = users.changes else {
        source.users = users
        return view.reloadData()
    }
    let canMove = changes.deletedSections.isEmpty && changes.insertedSections.isEmpty
    view.performBatchUpdates {
        source.users = users
        view.deleteItems(at: changes.deletions.map(\.indexPath))
        view.deleteSections(IndexSet(changes.deletedSections))
        view.insertSections(IndexSet(changes.insertedSections))
        view.insertItems(at: changes.insertions.map(\.indexPath))
        for move in changes.moves {
            if canMove {
                view.moveItem(at: move.old.indexPath, to: move.new.indexPath)
            } else {
                view.deleteItems(at: [move.old.indexPath])
                view.insertItems(at: [move.new.indexPath])
            }
        }
    }
    view.reconfigureItems(at: changes.updates.map(\.new.indexPath))
}

extension LivePosition {
    var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
// snippet.end
