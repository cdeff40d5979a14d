// The examples in the documentation comments of TidemarkStore, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkStore/Capture/UnrecordedEdits.swift
private func UnrecordedEdits_1() throws {
    if let edits = try SyncStatus.of(store).localChanges.unrecorded {
        print("Edits may be missing:", edits.causes, edits.conflicts)
    }
}

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_1() async throws {
    let changes = try await store.changes()
    for try await batch in changes {
        for change in batch.changes { print(change.kind, change.entity, change.properties) }
    }
}

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_2() async throws {
    let changes = try await store.changes()
    _ = try await engine.pull()
    changes.finish()
    for try await batch in changes { print(batch.changes.count) }
}

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_3() throws {
    let changes = try store.changes()
    _ = try Importer(store).import(&items, into: "User")
    while let batch = try changes.poll() { print(batch.changes) }
}

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_4() async throws {
    let changes = try await store.changes()
    Task {
        for try await batch in changes {
            for change in batch.changes where change.kind == .delete {
                print(change.entity, change.key?.parts ?? [])
            }
        }
    }
    _ = try await engine.pull()
}

// Sources/TidemarkStore/Changes/RowChange.swift
private func RowChange_1() async throws {
    for try await batch in try await store.changes() {
        let changed = batch.changes.filter { $0.entity == "Film" && $0.kind != .delete }
        let films = try await store.read { reader in
            try changed.filter { $0.properties.contains("title") }.map {
                try reader.record(RecordLocator(RowReference($0.entity, $0.rowNumber)))
            }
        }
        print(films.map { $0["title"] })
    }
}

// Sources/TidemarkStore/Changes/RowChange.swift
private func RowChange_2() throws {
    let changes = try store.changes()
    while let batch = try changes.poll() {
        print(batch.commit, batch.changes.count, batch.isLast)   // 1 1000 false
    }
}

// Sources/TidemarkStore/Comparison/RowDifference.swift
private func RowDifference_1() throws {
    let copy = try store.temporaryCopy()
    for row in try store.differences(from: copy).rows {
        for property in row.properties {
            print(row.row, property, row.stored?[property] ?? .null, row.other?[property] ?? .null)
        }
    }
}

// Sources/TidemarkStore/Comparison/RowDifference.swift
private func RowDifference_2() throws {
    let differences = try store.differences(from: store.temporaryCopy())
    if !differences.isEmpty {
        print("\(differences.count) rows differ, the first is \(differences.rows[0])")
    }
}

// Sources/TidemarkStore/Comparison/Store+Differences.swift
private func Store_Differences_1() throws {
    let copy = try store.temporaryCopy()
    _ = try Importer(copy).import(&items, into: "User")
    print(try store.differences(from: copy))   // User: 0 only here, 1 only there, 2 differing
}

// Sources/TidemarkStore/Comparison/StoreReader+MissingLinks.swift
private func StoreReader_MissingLinks_1() throws {
    let missing = try store.read { reader in try reader.missingLinks() }
    for link in missing { print(link.row, link.relationship) }   // Film#4 director
}

// Sources/TidemarkStore/Entities/BatchUpdate.swift
private func BatchUpdate_1() throws {
    try store.write { writer in
        try writer.update(Note.filter { $0.text == nil }) {
            $0.set(\.text, to: "?")
            $0.set(\.isDone, to: true)
        }
    }
}

// Sources/TidemarkStore/Entities/Draft.swift
private func Draft_1() throws {
    func rename(_ user: User, to name: String, in store: Store) throws {
        var draft = Draft(user)
        draft.name = name
        let outcome = try store.save(draft)
        for property in outcome.changedInStore { print("\(property) was changed by others") }
    }
}

// Sources/TidemarkStore/Entities/EncodedRow.swift
private func EncodedRow_1() throws {
    struct Tag {
        var name: String
        var owner: One<User>

        func encode(to row: inout EncodedRow) throws {
            row.set("name", name)
            row.set("owner", owner)
        }
    }
}

// Sources/TidemarkStore/Entities/EntityRecord.swift
private func EntityRecord_1() throws {
    struct Tag: EntityRecord {
        var rowID = RowID<Tag>.unsaved
        var name: String

        static let entityName = "Tag"
        static let entity = EntityDescription(entityName) {
            Attribute("name", .string, isOptional: false)
        }

        struct Properties: EntityProperties {
            typealias Record = Tag
            let path: PropertyPath
            init(_ path: PropertyPath) { self.path = path }
            var name: AttributeExpression<String> { path.attribute("name") }
        }

        init(name: String) { self.name = name }
        init(from row: EntityRow) throws { name = try row[0, "name"] }
        func encode(to row: inout EncodedRow) throws { row.set("name", name) }
    }
}

// Sources/TidemarkStore/Entities/EntityRow.swift
private func EntityRow_1() throws {
    struct Tag {
        var name: String
        var count: Int
        var owner: One<User>

        init(from row: EntityRow) throws {
            name = try row[0, "name"]
            count = row[1, "count", default: 0]
            owner = row.one(2, "owner")
        }
    }
}

// Sources/TidemarkStore/Entities/Many.swift
private func Many_1() throws {
    let users = try store.read { reader in try reader.fetch(User.including(\.notes)) }
    for user in users { print(user.name, try user.notes.get().count) }
}

// Sources/TidemarkStore/Entities/Model+Entities.swift
private func Model_Entities_1() throws {
    let model = Model(User.self, Note.self)
}

// Sources/TidemarkStore/Entities/Model+Entities.swift
private func Model_Entities_2() throws {
    let store = try Store.open(at: "notes.sqlite", entities: User.self, Note.self)
}

// Sources/TidemarkStore/Entities/One.swift
private func One_1() throws {
    let notes = try store.read { reader in try reader.fetch(Note.including(\.user)) }
    for note in notes { print(note.text, note.user.value?.name ?? "-") }
}

// Sources/TidemarkStore/Entities/RowID.swift
private func RowID_1() throws {
    let ada = User(name: "Ada")
    print(ada.rowID.isSaved)   // false
}

// Sources/TidemarkStore/Live/LiveChanges.swift
private func LiveChanges_1() throws {
    func describe(_ changes: LiveChanges) -> String {
        "+\(changes.insertions.count) -\(changes.deletions.count) ~\(changes.updates.count)"
    }
}

// Sources/TidemarkStore/Live/LiveList.swift
private func LiveList_1() throws {
    @MainActor func search(_ text: String, in list: LiveList<Film>) {
        list.request = Film.filter { $0.title.contains(text) }.sorted(by: \.title)
    }
}

// Sources/TidemarkStore/Live/LiveResults.swift
private func LiveResults_1() async throws {
    for try await films in store.live(Film.sorted(by: \.episode)) {
        print(films.map(\.title))
    }
}

// Sources/TidemarkStore/Live/LiveSnapshot.swift
private func LiveSnapshot_1() async throws {
    for try await films in store.live(Film.sorted(by: \.episode)) {
        print(films.map(\.title), films.changes?.insertions.count ?? 0)
    }
}

// Sources/TidemarkStore/Live/Store+Live.swift
private func Store_Live_1() async throws {
    for try await films in store.live(Film.sorted(by: \.episode)) {
        print(films.map(\.title))
    }
}

// Sources/TidemarkStore/Live/Store+Live.swift
private func Store_Live_2() async throws {
    for try await films in store.live(RecordRequest("Film", sort: [.init("title")])) {
        print(films.count)
    }
}

// Sources/TidemarkStore/Live/Store+Live.swift
private func Store_Live_3() async throws {
    for try await snapshot in store.live(ada.rowID) { print(snapshot.first?.name ?? "deleted") }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_1() throws {
    let adults = User.filter { $0.age >= 18 }.sorted(by: \.name).limit(20)
    let users = try store.read { reader in try reader.fetch(adults) }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_2() throws {
    let open = Note.all.filter { !$0.isDone && $0.user.name.hasPrefix("A") }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_3() throws {
    let some = User.all.filter(try RecordPredicate("name CONTAINS[cd] %@", .string("ada")))
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_4() throws {
    let users = User.sorted(by: \.company.name).sorted(by: \.age, .descending)
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_5() throws {
    let users = User.sorted(by: \.age).sections(by: \.name) { name in
        String(name?.prefix(1) ?? "?")
    }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_6() throws {
    let notes = Note.including(\.user) { $0.including(\.company) }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_7() throws {
    let users = User.including(\.notes) { notes in
        notes.filter { !$0.isDone }.sorted(by: \.text).limit(3)
    }
}

// Sources/TidemarkStore/Queries/EntityRequest.swift
private func EntityRequest_8() throws {
    let users = User.counting(\.notes)
}

// Sources/TidemarkStore/Queries/Expressions/AttributeExpression.swift
private func AttributeExpression_1() throws {
    let adults = User.filter { $0.age >= 18 && $0.name != nil }
    let ada = User.filter { $0.name == "Ada" }
}

// Sources/TidemarkStore/Queries/Expressions/AttributeExpression.swift
private func AttributeExpression_2() throws {
    let some = User.filter { $0.age.isIn([18, 21]) }
}

// Sources/TidemarkStore/Queries/Expressions/AttributeExpression.swift
private func AttributeExpression_3() throws {
    let some = User.filter { $0.age.isIn(18...65) }
}

// Sources/TidemarkStore/Queries/Expressions/AttributeExpression.swift
private func AttributeExpression_4() throws {
    let some = Note.filter { $0.text.contains("tea", folding: .caseInsensitive) }
}

// Sources/TidemarkStore/Queries/Expressions/PropertyPath.swift
private func PropertyPath_1() throws {
    struct NoteProperties: EntityProperties {
        typealias Record = Note
        let path: PropertyPath
        init(_ path: PropertyPath) { self.path = path }
        var text: AttributeExpression<String> { path.attribute("text") }
        var user: ToOneExpression<Note, User> { path.one("user", \.user) }
    }
}

// Sources/TidemarkStore/Queries/Expressions/RecordPredicateConvertible.swift
private func RecordPredicateConvertible_1() throws {
    let done = Note.filter { $0.isDone }
    let short = Note.filter { $0.isDone && $0.text.like("???") }
}

// Sources/TidemarkStore/Queries/Expressions/RowExpression.swift
private func RowExpression_1() throws {
    let others = User.filter { $0.rowID != ada.rowID }
}

// Sources/TidemarkStore/Queries/Expressions/RowExpression.swift
private func RowExpression_2() throws {
    let hers = Note.filter { $0.user == ada.rowID }
    let some = Note.filter { $0.user.name.hasPrefix("A") }
}

// Sources/TidemarkStore/Queries/Expressions/ToManyExpression.swift
private func ToManyExpression_1() throws {
    let busy = User.filter { $0.notes.contains { !$0.isDone && $0.text != nil } }
    let idle = User.filter { $0.notes.isEmpty }
    let some = User.filter { $0.notes.count > 3 }
}

// Sources/TidemarkStore/Queries/Expressions/ToManyExpression.swift
private func ToManyExpression_2() throws {
    let some = User.filter { user in user.notes.contains { $0.text == user.name } }
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicate.swift
private func RecordPredicate_1() throws {
    let recent = try RecordPredicate(
        "title CONTAINS[cd] %@ AND releasedAt >= '1977-05-25'",
        .string("hope")
    )
    let films = try store.read { reader in try reader.fetch(RecordRequest("Film", where: recent)) }
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicate.swift
private func RecordPredicate_2() throws {
    let hope = try RecordPredicate(
        "%K CONTAINS[cd] %@ AND releasedAt >= $since",
        .string("title"),
        .string("hope"),
        names: ["since": .date(0)]
    )
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicate.swift
private func RecordPredicate_3() throws {
    let ids: [Int64] = [1, 2, 3]
    let list = ids.map { _ in "%@" }.joined(separator: ", ")
    let selected = try RecordPredicate("id IN {\(list)}", arguments: ids.map { .integer($0) })
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicateError.swift
private func RecordPredicateError_1() throws {
    do {
        _ = try RecordPredicate("age >> 3")
    } catch {
        print(error.rendering)
    }
}

// Sources/TidemarkStore/Queries/Predicate/SQLCondition.swift
private func SQLCondition_1() throws {
    let wordy = Film.filter { $0.episode > 3 && .sql("length(title) * episode > ?", 100) }
}

// Sources/TidemarkStore/Queries/RecordRequest.swift
private func RecordRequest_1() throws {
    let recent = RecordRequest(
        "Film",
        where: try RecordPredicate("releasedAt >= '1980-01-01'"),
        sort: [.init("director.name"), .init("releasedAt", .descending)],
        limit: 10
    )
    let films = try store.read { reader in try reader.fetch(recent) }
}

// Sources/TidemarkStore/Queries/RecordRequest.swift
private func RecordRequest_2() throws {
    var request = RecordRequest("Film", sort: [.init("id")], limit: 50)
    let page = try store.read { [request] reader in try reader.fetch(request) }
    request.predicate = try RecordPredicate("id > %@", page.last?["id"] ?? .integer(0))
}

// Sources/TidemarkStore/Queries/RecordRequest.swift
private func RecordRequest_3() throws {
    let characters = RecordRequest("Person", sort: [.init("name")], links: .only(["films"]))
    let people = try store.read { reader in try reader.fetch(characters) }
    print(people.first?.links["films"]?.count ?? 0)
}

// Sources/TidemarkStore/Queries/RecordRequest.swift
private func RecordRequest_4() throws {
    let newest = RecordRequest("Film", sort: [.init("releasedAt", .descending), .init("title")])
}

// Sources/TidemarkStore/Queries/Store+SQL.swift
private func Store_SQL_1() throws {
    let recent = try RecordPredicate("releasedAt >= '1980-01-01'")
    let films = try store.sql(for: RecordRequest("Film", where: recent))
    let latest = try store.read { reader in
        try SQLRequest<Int>("SELECT max(episode) FROM (\(films))").fetchOne(reader.db)
    }
}

// Sources/TidemarkStore/Queries/Store+SQL.swift
private func Store_SQL_2() throws {
    let films = try store.sql(for: RecordRequest("Film", where: predicate))
    let rows = try pool.read { db in
        try store.prepareQueries(db)
        return try films.fetchAll(db)
    }
}

// Sources/TidemarkStore/Records/RowReference.swift
private func RowReference_1() throws {
    let film = try store.read { reader in try reader.record(RecordLocator("Film:4")).reference }
    let title = try store.read { reader in
        let sql = "SELECT title FROM Film WHERE _id = ?"
        return try String.fetchOne(reader.db, sql: sql, arguments: [film.number])
    }
}

// Sources/TidemarkStore/Records/RowReference.swift
private func RowReference_2() throws {
    let ids = try store.read { reader in
        try Int64.fetchAll(reader.db, sql: "SELECT _id FROM Film WHERE episode > 6")
    }
    try store.write { writer in
        for id in ids { try writer.delete(RecordLocator(RowReference("Film", id))) }
    }
}

// Sources/TidemarkStore/Records/RowReference.swift
private func RowReference_3() throws {
    let note = try store.write { writer in
        try writer.insert("Note", values: [:], links: ["user": [RecordLocator("User:6")]])
    }
    try store.write { writer in
        try writer.update(RecordLocator(note), values: ["text": .string("Buy milk")])
    }
}

// Sources/TidemarkStore/Records/RowReference.swift
private func RowReference_4() throws {
    let seat = try store.read { reader in try reader.record(RecordLocator("Seat:[\"A\",12]")) }
}

// Sources/TidemarkStore/Records/RowReference.swift
private func RowReference_5() throws {
    let ids: [Int64] = [4, 6]
    let films = try store.read { reader in
        try ids.map { try reader.record(RecordLocator("Film", key: [.integer($0)])) }
    }
    let seat = RecordLocator("Seat", key: [.string("A"), .integer(12)])
    print(films.count, seat)   // 2 Seat:["A",12]
}

// Sources/TidemarkStore/Records/StoredRecord.swift
private func StoredRecord_1() throws {
    let film = try store.read { reader in try reader.record(RecordLocator("Film:4")) }
    if case .string(let title) = film["title"] { print(title) }
    for character in film.links["characters"] ?? [] { print(character) }   // Person#1
}

// Sources/TidemarkStore/Schema/Migration/Migration.swift
private func Migration_1() throws {
    let migration = try store.dryRunMigration(to: model)
    for step in migration.steps { print(step) }   // drop User.age (3 values are lost)
}

// Sources/TidemarkStore/Schema/Migration/Migration.swift
private func Migration_2() throws {
    let losses = try store.dryRunMigration(to: model).steps.filter(\.losesData)
    print(losses.reduce(0) { $0 + ($1.count ?? 0) }, "values would be lost.")
}

// Sources/TidemarkStore/Schema/Migration/Migration.swift
private func Migration_3() throws {
    for rejection in try store.dryRunMigration(to: model).rejections {
        print(rejection.location, rejection.count, rejection.hint)
        guard let row = rejection.row else { continue }
        print(try store.read { reader in try reader.record(RecordLocator(row)) })
    }
}

// Sources/TidemarkStore/Store+Adopt.swift
private func Store_Adopt_1() throws {
    let pool = try DatabasePool(path: "app.sqlite")
    let store = try Store.adopt(pool, model: model)
    try pool.write { db in
        try db.create(table: "bookmark", options: .ifNotExists) { table in
            table.column("film", .integer).references("Film", column: "_id", onDelete: .cascade)
        }
    }
}

// Sources/TidemarkStore/Store+Checkpoint.swift
private func Store_Checkpoint_1() async throws {
    _ = try await engine.pull()
    try store.checkpoint()
}

// Sources/TidemarkStore/Store+Migrate.swift
private func Store_Migrate_1() throws {
    struct DataLoss: Error {}
    let migrated = try store.migrate(to: model) { migration in
        guard !migration.losesData else { throw DataLoss() }
    }
    print(migrated.model == model)   // true
}

// Sources/TidemarkStore/Store+Migrate.swift
private func Store_Migrate_2() throws {
    let migration = try store.dryRunMigration(to: model)
    for rejection in migration.rejections { print(rejection) }
    print(migration.losesData ? "deletes data" : "keeps all data")
}

// Sources/TidemarkStore/Store+Migrate.swift
private func Store_Migrate_3() throws {
    let copy = try store.temporaryCopy()
    try copy.write { writer in try writer.delete(RecordLocator("Film:4")) }
    print(try store.differences(from: copy))
}

// Sources/TidemarkStore/Store+Open.swift
private func Store_Open_1() throws {
    let store = try Store.open(at: "films.sqlite", model: model) { migration in
        for step in migration.steps { print(step) }   // drop Film.subtitle (3 values are lost)
    }
}

// Sources/TidemarkStore/Store+Open.swift
private func Store_Open_2() throws {
    let store = try Store.openReadOnly(at: "films.sqlite")
    let count = try store.read { reader in try reader.count("Film") }
}

// Sources/TidemarkStore/Store+Open.swift
private func Store_Open_3() throws {
    let store = try Store.inMemory(model: model)
    try store.write { writer in
        try writer.insert("Film", values: ["title": .string("Solaris")])
    }
}

// Sources/TidemarkStore/Store.swift
private func Store_1() throws {
    let store = try Store.open(at: "films.sqlite", model: model)
    try store.write { writer in
        try writer.insert("Film", values: ["title": .string("Solaris")])
    }
    let titles = try store.read { reader in
        try String.fetchAll(reader.db, sql: "SELECT title FROM Film ORDER BY episode")
    }
}

// Sources/TidemarkStore/Store.swift
private func Store_2() throws {
    try store.writer.write { db in
        try db.execute(sql: "UPDATE Film SET minutes = NULL WHERE minutes = 0")
    }
}

// Sources/TidemarkStore/Store.swift
private func Store_3() async throws {
    let observation = ValueObservation.tracking { db in
        try String.fetchAll(db, sql: "SELECT title FROM Film ORDER BY episode")
    }
    for try await titles in observation.values(in: store.reader) { print(titles) }
}

// Sources/TidemarkStore/Store.swift
private func Store_4() throws {
    let store = try Store.open(at: "films.sqlite")
    print(store.model.entities.map(\.name))   // ["Film", "Person"]
}

// Sources/TidemarkStore/StoreError.swift
private func StoreError_1() throws {
    do {
        try store.write { writer in try writer.delete(RecordLocator("User:6")) }
    } catch let error as StoreError where error.code == .rowNotFound {
        print(error.message)   // The store has no row User:6.
    }
}

// Sources/TidemarkStore/StoreError.swift
private func StoreError_2() throws {
    do {
        _ = try Store.open(at: path, model: model)
    } catch let error as StoreError {
        switch error.code {
        case .permissionDenied, .cannotCreate: print(error.hint ?? error.message)
        case .migrationRejected, .damaged: print("Pull into a new store.")
        default: throw error
        }
    }
}

// Sources/TidemarkStore/Transactions/Durability.swift
private func Durability_1() throws {
    try store.write(durability: .relaxed) { writer in
        try writer.insert("Measurement", values: ["celsius": .double(21.5)])
    }
}

// Sources/TidemarkStore/Transactions/Store+Entities.swift
private func Store_Entities_1() throws {
    let users = try store.fetch(User.filter { $0.age >= 18 })
}

// Sources/TidemarkStore/Transactions/Store+Entities.swift
private func Store_Entities_2() async throws {
    let users = try await store.fetch(User.filter { $0.age >= 18 })
}

// Sources/TidemarkStore/Transactions/Store+Entities.swift
private func Store_Entities_3() throws {
    let ada = try store.fetch(User.self, key: 6)
}

// Sources/TidemarkStore/Transactions/Store+Entities.swift
private func Store_Entities_4() async throws {
    let adults = try store.sql(for: User.filter { $0.age >= 18 })
    let observation = ValueObservation.tracking { db in try adults.fetchAll(db) }
    for try await users in observation.values(in: store.reader) { print(users.count) }
}

// Sources/TidemarkStore/Transactions/Store+EntityWrites.swift
private func Store_EntityWrites_1() throws {
    let ada = try store.insert(User(id: 1, name: "Ada"))
}

// Sources/TidemarkStore/Transactions/Store+EntityWrites.swift
private func Store_EntityWrites_2() throws {
    func rename(_ user: User, to name: String, in store: Store) throws {
        try store.update(user.rowID) { $0.name = name }
    }
}

// Sources/TidemarkStore/Transactions/Store+EntityWrites.swift
private func Store_EntityWrites_3() throws {
    try store.update(Note.filter { !$0.isDone }) { $0.set(\.isDone, to: true) }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_1() throws {
    let (films, count) = try store.read { reader in
        (try reader.fetch(RecordRequest("Film", limit: 10)), try reader.count("Film"))
    }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_2() async throws {
    let count = try await store.read { reader in try reader.count("Film") }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_3() async throws {
    let observation = ValueObservation.tracking(region: Table("Film")) { db in
        try store.read(in: db) { reader in
            try reader.fetch(RecordRequest("Film", sort: [.init("episode")]))
        }
    }
    for try await films in observation.values(in: store.reader) { print(films.count) }
}

// Sources/TidemarkStore/Transactions/Store+Write.swift
private func Store_Write_1() throws {
    let ada = try store.write { writer in
        let ada = try writer.insert("User", values: ["name": .string("Ada")])
        try writer.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
        return ada
    }
}

// Sources/TidemarkStore/Transactions/Store+Write.swift
private func Store_Write_2() async throws {
    try await store.write { writer in
        try writer.update(RecordLocator("User:6"), values: ["name": .string("Ada")])
    }
}

// Sources/TidemarkStore/Transactions/Store+Write.swift
private func Store_Write_3() throws {
    try pool.write { db in
        try db.execute(sql: "UPDATE settings SET lastEdit = ?", arguments: [Date.now])
        try store.write(in: db) { writer in
            try writer.delete(RecordLocator("User:6"))
        }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Aggregates.swift
private func StoreReader_Aggregates_1() throws {
    let youngest = try store.read { reader in try reader.minimum(User.all, of: \.age) }
}

// Sources/TidemarkStore/Transactions/StoreReader+Aggregates.swift
private func StoreReader_Aggregates_2() throws {
    let counts = try store.read { reader in try reader.counts(User.all, by: \.age) }
    for (age, count) in counts { print(age ?? 0, count) }
}

// Sources/TidemarkStore/Transactions/StoreReader+Entities.swift
private func StoreReader_Entities_1() throws {
    let users = try store.read { reader in
        try reader.fetch(User.filter { $0.age >= 18 }.including(\.notes))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Entities.swift
private func StoreReader_Entities_2() throws {
    let oldest = try store.read { reader in
        try reader.first(User.sorted(by: \.age, .descending))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Entities.swift
private func StoreReader_Entities_3() throws {
    let ada = try store.read { reader in try reader.fetch(User.self, key: 6) }
}

// Sources/TidemarkStore/Transactions/StoreReader+Entities.swift
private func StoreReader_Entities_4() throws {
    try store.read { reader in
        try reader.forEach(User.including(\.notes)) { user in
            print(user.name, user.notes.count ?? 0)
        }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Entities.swift
private func StoreReader_Entities_5() throws {
    var users = try store.read { reader in try reader.fetch(User.all) }
    try store.read { reader in try reader.load(User.including(\.notes), into: &users) }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_1() throws {
    let films = try store.read { reader in
        try reader.fetch(RecordRequest("Film", sort: [.init("episode")]))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_2() throws {
    try store.read { reader in
        try reader.forEach(RecordRequest("Film", links: .only(["director"]))) { film in
            print(film["title"], film.links["director"]?.first?.number ?? 0)
        }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_3() throws {
    let count = try store.read { reader in try reader.count("Film") }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_4() throws {
    let count = try store.read { reader in
        try reader.count(RecordRequest("Film", where: RecordPredicate("episode > 3")))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_5() throws {
    let count = try store.read { reader in try reader.unresolvedReferenceCount() }
}

// Sources/TidemarkStore/Transactions/StoreReader+Records.swift
private func StoreReader_Records_1() throws {
    let film = try store.read { reader in try reader.record(RecordLocator("Film:4")) }
    print(film["title"], film.links["characters"] ?? [])
}

// Sources/TidemarkStore/Transactions/StoreReader+Records.swift
private func StoreReader_Records_2() throws {
    let isStored = try store.read { reader in
        try reader.rowReference(for: RecordLocator("Film", key: 4)) != nil
    }
}

// Sources/TidemarkStore/Transactions/StoreReader.swift
private func StoreReader_1() throws {
    let titles = try store.read { reader in
        try reader.fetch(RecordRequest("Film", sort: [.init("episode")])).map { $0["title"] }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader.swift
private func StoreReader_2() throws {
    let longest = try store.read { reader in
        try Int.fetchOne(reader.db, sql: "SELECT max(minutes) FROM Film")
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Batch.swift
private func StoreWriter_Batch_1() throws {
    let count = try store.write { writer in
        try writer.update(User.filter { $0.age < 18 }) { $0.set(\.age, to: 18) }
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+EntityLinks.swift
private func StoreWriter_EntityLinks_1() throws {
    try store.write { writer in
        let ada = try writer.insert(User(id: 1, name: "Ada"))
        let note = try writer.insert(Note(text: "Buy milk"))
        try writer.link(\.notes, of: ada.rowID, to: note.rowID)
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+EntityLinks.swift
private func StoreWriter_EntityLinks_2() throws {
    try store.write { writer in
        guard let user = try writer.first(User.filter { $0.name == "Ada" }) else { return }
        let notes = try writer.rowIDs(Note.sorted(by: \.text))
        try writer.setLinks(\.notes, of: user.rowID, to: notes)
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Erase.swift
private func StoreWriter_Erase_1() async throws {
    try await store.write { writer in try writer.erase() }
    _ = try await engine.pull()
}

// Sources/TidemarkStore/Transactions/StoreWriter+Insert.swift
private func StoreWriter_Insert_1() throws {
    let ada = try store.write { writer in try writer.insert(User(id: 1, name: "Ada")) }
    print(ada.rowID)   // User#1
}

// Sources/TidemarkStore/Transactions/StoreWriter+Insert.swift
private func StoreWriter_Insert_2() throws {
    try store.write { writer in
        try writer.insert(contentsOf: ["Ada", "Ben"].map { User(id: nil, name: $0) })
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_1() throws {
    let note = try store.write { writer in
        try writer.insert(
            "Note",
            values: ["text": .string("Buy milk")],
            links: ["user": [RecordLocator("User:6")]]
        )
    }
    print(note)   // Note#1
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_2() throws {
    let changed = try store.write { writer in
        try writer.update(
            RecordLocator("Note:7"),
            values: ["done": .boolean(true)],
            links: ["tags": [RecordLocator("Tag:home"), RecordLocator("Tag:urgent")]]
        ).changed
    }
    print(changed)   // ["done", "tags"]
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_3() throws {
    let deleted = try store.write { writer in try writer.delete(RecordLocator("User:6")) }
    print(deleted)   // ["User": 1, "Note": 3]
}

// Sources/TidemarkStore/Transactions/StoreWriter+Remove.swift
private func StoreWriter_Remove_1() throws {
    try store.write { writer in
        if let user = try writer.first(User.filter { $0.name == "Ada" }) {
            try writer.delete(user.rowID)
        }
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Remove.swift
private func StoreWriter_Remove_2() throws {
    try store.write { writer in try writer.delete(Note.filter { $0.isDone }) }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Save.swift
private func StoreWriter_Save_1() throws {
    func save(_ draft: Draft<User>, in store: Store) throws -> User {
        try store.write { writer in try writer.save(draft, onConflict: .theirs).record }
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Update.swift
private func StoreWriter_Update_1() throws {
    try store.write { writer in
        var user = try writer.first(User.filter { $0.name == "Ada" })
        user?.age = 36
        if let user { try writer.update(user) }
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Update.swift
private func StoreWriter_Update_2() throws {
    try store.write { writer in
        for user in try writer.rowIDs(User.filter { $0.age == nil }) {
            try writer.update(user) { $0.age = 0 }
        }
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Update.swift
private func StoreWriter_Update_3() throws {
    let ada = try store.write { writer in try writer.upsert(User(id: 1, name: "Ada")) }
}

// Sources/TidemarkStore/Transactions/StoreWriter.swift
private func StoreWriter_1() throws {
    try store.write { writer in
        let ada = try writer.insert("User", values: ["name": .string("Ada")])
        try writer.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
    }
}
