// The examples in the documentation comments of TidemarkStore, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkFakeServer
import TidemarkHTTPClient
import TidemarkTesting
import TidemarkYAML

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_1() async throws {
    let changes = try await store.changes()
    for try await batch in changes {
        for change in batch.changes { print(change.kind, change.entity, change.properties) }
    }
}

// Sources/TidemarkStore/Changes/ChangeBatches.swift
private func ChangeBatches_2() throws {
    let changes = try store.changes()
    _ = try Importer(store).import(&items, into: "User")
    while let batch = try changes.poll() { print(batch.changes) }
}

// Sources/TidemarkStore/Comparison/Store+Differences.swift
private func Store_Differences_1() throws {
    let copy = try store.temporaryCopy()
    // … whatever is to be tried out, in the copy …
    let differences = try store.differences(from: copy)
}

// Sources/TidemarkStore/Comparison/Store+MissingLinks.swift
private func Store_MissingLinks_1() throws {
    let missing = try store.reader.read { db in try store.missingLinks(db) }
    for link in missing { print(link.row, link.relationship) }
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicate.swift
private func RecordPredicate_1() throws {
    let recent = try RecordPredicate(
        "title CONTAINS[cd] %@ AND releasedAt >= '1977-05-25'",
        .string("hope")
    )
    let films = try store.fetch(db, RecordRequest("Film", where: recent))
}

// Sources/TidemarkStore/Queries/Predicate/SelectionSQL.swift
private func SelectionSQL_1() throws {
    let selection = try SelectionSQL(store.layout, "User", where: predicate)
    let sql = "SELECT max(age) FROM \(selection.source) WHERE \(selection.condition)"
    let oldest = try Int.fetchOne(db, sql: sql, arguments: selection.bindings)
}

// Sources/TidemarkStore/Records/Store+Records.swift
private func Store_Records_1() throws {
    let user = try store.writer.write { db in
        try store.insert(db, "User", values: ["name": .string("Ada")])
    }
}

// Sources/TidemarkStore/Schema/Migration/Migration.swift
private func Migration_1() throws {
    let migration = try store.dryRunMigration(to: model)
    for step in migration.steps { print(step) }   // drop User.age (3 values are lost)
}

// Sources/TidemarkStore/Store+Adopt.swift
private func Store_Adopt_1() throws {
    let pool = try DatabasePool(path: "app.sqlite")
    let store = try Store.adopt(pool, model: model)
}

// Sources/TidemarkStore/Store+Open.swift
private func Store_Open_1() throws {
    let store = try Store.openReadOnly(at: "films.sqlite")
    let count = try store.reader.read { db in try store.count(db, "Film") }
}

// Sources/TidemarkStore/Store.swift
private func Store_1() throws {
    let store = try Store.open(at: "films.sqlite", model: model)
    let titles = try store.reader.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM Film ORDER BY episode")
    }
}
