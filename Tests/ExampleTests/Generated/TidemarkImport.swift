// The examples in the documentation comments of TidemarkImport, written by `make examples`.
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

// Sources/TidemarkImport/Export/ExportOptions.swift
private func ExportOptions_1() throws {
    let options = ExportOptions(keys: .camel, relationships: .ids)
    try Exporter(store, options: options).write(db, RecordLocator("Article:1"), into: &json)
    // {"id":1,"title":"Notes","authorIds":[5]}
}

// Sources/TidemarkImport/Export/ExportOptions.swift
private func ExportOptions_2() throws {
    let options = try ExportOptions(dateFormat: DateFormat("seconds"))  // Unix time
}

// Sources/TidemarkImport/Export/ExportOptions.swift
private func ExportOptions_3() throws {
    let flat = ExportOptions(relationships: .none)  // attributes only
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_1() throws {
    var json = JSONWriter()
    try store.writer.read { db in
        try Exporter(store).write(db, RecordLocator("User:6"), into: &json)
    }
    print(String(decoding: json.bytes, as: UTF8.self))  // {"id":6,"first_name":"Ada","notes":[…]}
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_2() throws {
    try Exporter(store).write(db, RecordLocator("User:6"), only: ["name", "company"], into: &json)
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_3() throws {
    let exporter = Exporter(store, options: ExportOptions(keys: .camel, relationships: .ids))
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_4() throws {
    try store.writer.read { db in
        let ada = try RecordLocator("User:6")
        try Exporter(store).write(db, ada, only: ["firstName"], into: &json)
    }
    // {"first_name":"Ada"}
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_5() throws {
    try store.writer.read { db in
        let adults = try RecordRequest("User", where: RecordPredicate("age >= 18"))
        try Exporter(store).write(db, adults, into: &json)
    }
    // [{"id":6,"first_name":"Ada"},{"id":9,"first_name":"Alan"}]
}

// Sources/TidemarkImport/ImportError.swift
private func ImportError_1() throws {
    do {
        _ = try importer.import(&items, into: "Comment")
    } catch let error as ImportError where error.code == .needsParent {
        print(error)  // the message, and what to do
    }
}

// Sources/TidemarkImport/ImportError.swift
private func ImportError_2() throws {
    do {
        try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
    } catch let error as ImportError where error.code == .unknownSession {
        try store.writer.write { db in try importer.begin(db, session) }
    }
}

// Sources/TidemarkImport/ImportHooks+Types.swift
private func ImportHooks_Types_1() throws {
    var hooks = ImportHooks()
    hooks.on(
        User.self,
        didImport: { writer, user, _ in
            if user.age == nil { try writer.update(user.rowID) { $0.age = 0 } }
        }
    )
}

// Sources/TidemarkImport/ImportHooks.swift
private func ImportHooks_1() throws {
    var hooks = ImportHooks()
    hooks.on(
        User.self,
        willImport: { _, item in item.node(at: "draft")?.boolean == true ? .skip : .keep },
        didImport: { writer, user, change in
            try writer.insert(Note(text: "\(change) \(user.name)"))
        }
    )
    let importer = Importer(store, hooks: hooks)
}

// Sources/TidemarkImport/ImportHooks.swift
private func ImportHooks_2() throws {
    var hooks = ImportHooks()
    hooks.willImport = { _, item, entity in
        entity == "Article" && item.node(at: "state")?.string == "draft" ? .skip : .keep
    }
}

// Sources/TidemarkImport/ImportHooks.swift
private func ImportHooks_3() throws {
    var hooks = ImportHooks()
    hooks.didImport = { writer, row, change in
        guard row.entity == "Article", change == .insert else { return }
        try writer.db.execute(
            sql: "INSERT INTO unread (article) VALUES (?)",
            arguments: [row.number]
        )
    }
}

// Sources/TidemarkImport/ImportHooks.swift
private func ImportHooks_4() throws {
    let hooks = ImportHooks(willImport: { _, item, _ in
        guard let wrapped = item.node(at: "attributes")?.string else { return .keep }
        return .replace(try JSONDocument(Array(wrapped.utf8)))
    })
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_1() throws {
    let options = ImportOptions(operations: .upsert, invalid: .skipRow)
    let report = try importer.import(&items, into: "User", options: options)
    print(report.entities["User"]?.deleted ?? 0)  // 0
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_2() throws {
    var options = ImportOptions()
    options.operations = [.update, .updateRelationships]  // refreshes rows, inserts none
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_3() throws {
    var options = ImportOptions()
    options.omitsNulls = true
    // {"id": 1, "name": "Garden"}    row 1 has no date and no owner afterwards
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_4() throws {
    var options = ImportOptions(operations: .upsert)
    options.origin = .service    // the body of a push message
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_5() throws {
    var options = ImportOptions()
    options.showsValues = true
    let report = try importer.import(&items, into: "Order", options: options)
    print(report.diagnostics[0].value ?? "")  // "n/a"
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_6() throws {
    var options = ImportOptions()
    options.origin = .service
    let report = try importer.import(&items, into: "Article", options: options)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_7() throws {
    // References to companies that are never imported are not stored.
    let options = ImportOptions(unresolved: .ignore)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_8() throws {
    // An unknown status becomes null; the other attributes of the row are updated.
    let options = ImportOptions(invalid: .null)
    let report = try importer.import(&items, into: "Order", options: options)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_9() throws {
    let strict = ImportOptions(invalid: .abort)
    do {
        _ = try importer.import(&items, into: "Order", options: strict)
    } catch let error as ImportError where error.code == .invalidRow {
        print(error.message)
    }
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_10() throws {
    let appendOnly: ImportOperations = [.insert, .insertRelationships]
    let options = ImportOptions(operations: appendOnly)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_11() throws {
    let keepsRows = ImportOptions(operations: ImportOperations.all.subtracting(.delete))
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_12() throws {
    let page = ImportOptions(operations: .upsert)
    let report = try importer.import(&items, into: "Article", options: page)
}

// Sources/TidemarkImport/ImportScope+Types.swift
private func ImportScope_Types_1() throws {
    // The response to GET /users?min_age=18
    let report = try importer.import(
        body,
        as: User.self,
        scope: .rows(of: User.self) { $0.age >= 18 }
    )
}

// Sources/TidemarkImport/ImportScope+Types.swift
private func ImportScope_Types_2() throws {
    // The response to GET /users/1/notes
    let ada = RowID<User>(1)
    let report = try importer.import(
        body,
        as: Note.self,
        scope: .children(of: ada, by: \.notes)
    )
}

// Sources/TidemarkImport/ImportScope.swift
private func ImportScope_1() throws {
    // The response to GET /articles?state=open
    let open = try ImportScope.rows(where: RecordPredicate("state = 'open'"))
    let report = try importer.import(&items, into: "Article", scope: open)
}

// Sources/TidemarkImport/ImportScope.swift
private func ImportScope_2() throws {
    // The response to GET /posts/7/comments
    let comments = try ImportScope.children(of: RecordLocator("Post:7"))
    let report = try importer.import(&items, into: "Comment", scope: comments)
}

// Sources/TidemarkImport/ImportSource.swift
private func ImportSource_1() throws {
    try store.import(#"[{"id": 1, "name": "Ada"}]"#, as: User.self)
    try store.import(URL(filePath: "users.json"), as: User.self)
}

// Sources/TidemarkImport/Importer+Source.swift
private func Importer_Source_1() throws {
    let report = try importer.import(body, into: "Film", at: "results")
}

// Sources/TidemarkImport/Importer+Source.swift
private func Importer_Source_2() throws {
    let report = try importer.import(body, as: Film.self, at: "results")
}

// Sources/TidemarkImport/Importer+Source.swift
private func Importer_Source_3() throws {
    let ada = try importer.importOne(#"{"id": 1, "name": "Ada"}"#, as: User.self)
}

// Sources/TidemarkImport/Importer.swift
private func Importer_1() throws {
    let importer = Importer(store)
    var films = try JSONDocument(body).items(at: "results")
    let report = try importer.import(&films, into: "Film")
    print(report.entities["Film"]?.inserted ?? 0)
}

// Sources/TidemarkImport/Importer.swift
private func Importer_2() throws {
    let trimmed = AttributeTransformer(reading: { node in
        .string(node.string.trimmingCharacters(in: .whitespaces))
    })
    let importer = Importer(store, transformers: ["Trimmed": trimmed], version: 2)
}

// Sources/TidemarkImport/Importer.swift
private func Importer_3() throws {
    var items = try JSONDocument(body).items(at: "data.users")
    let options = ImportOptions(operations: .upsert)
    let report = try importer.import(&items, into: "User", options: options)
    if report.unresolvedReferenceCount > 0 { print(report) }
}

// Sources/TidemarkImport/Importer.swift
private func Importer_4() throws {
    let report = try importer.dryRun(&items, into: "Article")
    if let deleted = report.entities["Article"]?.deleted, deleted > 0 {
        print("The file lacks \(deleted) stored articles.")
    }
}

// Sources/TidemarkImport/Importer.swift
private func Importer_5() throws {
    var (users, notes) = (items, items)
    try store.writer.write { db in
        _ = try importer.import(db, &users, into: "User")
        _ = try importer.import(db, &notes, into: "Note")
    }
}

// Sources/TidemarkImport/Merge/ConflictPolicies+Types.swift
private func ConflictPolicies_Types_1() throws {
    var policies = ConflictPolicies()
    policies.set(.localWins, for: \Note.Properties.text)
}

// Sources/TidemarkImport/Merge/ConflictPolicies+Types.swift
private func ConflictPolicies_Types_2() throws {
    var policies = ConflictPolicies()
    policies.merge(\Note.Properties.text) { base, local, remote in
        [remote, local].compactMap(\.self).joined(separator: "\n")
    }
}

// Sources/TidemarkImport/Merge/ConflictPolicy.swift
private func ConflictPolicy_1() throws {
    let policies = ConflictPolicies(
        default: .remoteWins,
        entities: ["Note": .init(.localWins, properties: ["text": .latestWins(by: "editedAt")])])
}

// Sources/TidemarkImport/Merge/ConflictPolicy.swift
private func ConflictPolicy_2() throws {
    let policies = ConflictPolicies(default: .latestWins(by: "updatedAt"))
}

// Sources/TidemarkImport/Merge/ConflictPolicy.swift
private func ConflictPolicy_3() throws {
    let both = ConflictPolicy.custom { conflict in
        guard case .string(let mine) = conflict.local, case .string(let hers) = conflict.remote
        else { return conflict.remote }
        return .string(hers + "\n" + mine)
    }
}

// Sources/TidemarkImport/Merge/ConflictPolicy.swift
private func ConflictPolicy_4() throws {
    var policies = ConflictPolicies(default: .localWins, deletes: .editWins)
    policies.entities["Invoice"] = .init(.manual, deletes: .manual)
}

// Sources/TidemarkImport/Merge/DeletePolicy.swift
private func DeletePolicy_1() throws {
    let policies = ConflictPolicies(deletes: .editWins)
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_1() throws {
    let report = try importer.import(&items, into: "User")
    print(report)  // User: 2 inserted, 1 deleted; 1 unresolved reference
    for problem in report.diagnostics where problem.severity == .error {
        print(problem.entity, problem.key ?? "-", problem.path ?? "-", problem.message)
    }
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_2() throws {
    let report = try importer.import(&items, into: "User")
    let newNotes = report.entities["Note"]?.inserted ?? 0
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_3() throws {
    let report = try importer.dryRun(&items, into: "User")
    let isClean = report.diagnostics.allSatisfy { $0.severity == .warning }
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_4() throws {
    let report = try importer.import(&items, into: "Note")
    if let kept = report.unlistedRowCount { print("\(kept) notes are not in the document.") }
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_5() throws {
    let report = try importer.import(&items, into: "User")
    if let users = report.entities["User"] {
        print(users)  // 2 inserted, 14 unchanged
    }
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_6() throws {
    let again = try importer.import(&items, into: "User")
    print(again.isUnchanged)  // true
}

// Sources/TidemarkImport/Report/ImportReport.swift
private func ImportReport_7() throws {
    let pages: [[UInt8]] = []
    var total = ImportReport()
    for page in pages {
        var items = try JSONDocument(page).items()
        let options = ImportOptions(operations: .upsert)
        total.add(try importer.import(&items, into: "User", options: options))
    }
}

// Sources/TidemarkImport/Session/DeletionGuard.swift
private func DeletionGuard_1() async throws {
    var options = PullOptions()
    options.deletionGuard = DeletionGuard(share: 0.2, rows: 20)
    let report = try await engine.pull(with: options)
    print(report.pendingDeletions.count)
}

// Sources/TidemarkImport/Session/DeletionGuard.swift
private func DeletionGuard_2() throws {
    let strict = DeletionGuard(share: 0, rows: 0, fullDeletionThreshold: 1)
    // every deletion needs approval
}

// Sources/TidemarkImport/Session/ImportSession.swift
private func ImportSession_1() throws {
    let bodies: [[UInt8]] = []
    let session = ImportSession("users", into: "User")
    try store.writer.write { db in try importer.begin(db, session) }
    for body in bodies {
        var items = try JSONDocument(body).items()
        try store.writer.write { db in _ = try importer.apply(db, &items, of: session) }
    }
    let report = try store.writer.write { db in try importer.finish(db, session) }
    print(report.entities["User"]?.deleted ?? 0)
}

// Sources/TidemarkImport/Session/ImportSession.swift
private func ImportSession_2() throws {
    let session = ImportSession("articles", into: "Article", run: UUID().uuidString)
}

// Sources/TidemarkImport/Session/Importer+Apply.swift
private func Importer_Apply_1() throws {
    let page = try store.writer.write { db in
        try importer.apply(db, &items, of: session)
    }
    print(page.changedRows)
}

// Sources/TidemarkImport/Session/Importer+Begin.swift
private func Importer_Begin_1() throws {
    let session = ImportSession("users", into: "User")
    try store.writer.write { db in try importer.begin(db, session) }
}

// Sources/TidemarkImport/Session/Importer+Begin.swift
private func Importer_Begin_2() throws {
    try store.writer.write { db in try importer.forget(db, "users") }
}

// Sources/TidemarkImport/Session/Importer+Deletions.swift
private func Importer_Deletions_1() throws {
    let waiting = try store.writer.read { db in
        try importer.pendingDeletions(db).filter { !$0.isRejected }
    }
    print(waiting.map(\.resource))  // ["films/"]
}

// Sources/TidemarkImport/Session/Importer+Deletions.swift
private func Importer_Deletions_2() throws {
    let rows = try store.writer.read { db in
        try importer.rowsOfPendingDeletion(db, "films/", limit: 20)
    }
    print(rows)  // [Film#3, Film#7]
}

// Sources/TidemarkImport/Session/Importer+Deletions.swift
private func Importer_Deletions_3() throws {
    let report = try store.writer.write { db in try importer.approveDeletion(db, "films/") }
    print(report.entities["Film"]?.deleted ?? 0)  // 2
}

// Sources/TidemarkImport/Session/Importer+Deletions.swift
private func Importer_Deletions_4() throws {
    try store.writer.write { db in try importer.rejectDeletion(db, "films/") }
}

// Sources/TidemarkImport/Session/Importer+Finish.swift
private func Importer_Finish_1() throws {
    let report = try store.writer.write { db in try importer.finish(db, session) }
    print(report.entities["User"]?.deleted ?? 0)
}

// Sources/TidemarkImport/Session/PendingDeletion.swift
private func PendingDeletion_1() throws {
    for deletion in report.pendingDeletions where !deletion.isRejected {
        print("\(deletion.resource): \(deletion.rowCount) rows are no longer listed")
    }
}

// Sources/TidemarkImport/Store+Import.swift
private func Store_Import_1() throws {
    try store.import(body, as: User.self)
    try store.import(body, as: Film.self, at: "results", options: .init(operations: .upsert))
}

// Sources/TidemarkImport/Store+Import.swift
private func Store_Import_2() throws {
    let report = try store.import(url, into: "User")
}

// Sources/TidemarkImport/Store+Import.swift
private func Store_Import_3() throws {
    let ada = try store.importOne(#"{"id": 1, "name": "Ada"}"#, as: User.self)
}
