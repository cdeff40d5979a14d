// The examples in the documentation comments of TidemarkStore, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkFakeServer
import TidemarkFakeServices
import TidemarkHTTPClient
import TidemarkInference
import TidemarkTesting
import TidemarkYAML
import Yams

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

// Sources/TidemarkStore/Comparison/StoreReader+MissingLinks.swift
private func StoreReader_MissingLinks_1() throws {
    let missing = try store.read { db in try db.missingLinks() }
    for link in missing { print(link.row, link.relationship) }
}

// Sources/TidemarkStore/Queries/Predicate/RecordPredicate.swift
private func RecordPredicate_1() throws {
    let recent = try RecordPredicate(
        "title CONTAINS[cd] %@ AND releasedAt >= '1977-05-25'",
        .string("hope")
    )
    let films = try store.read { db in try db.fetch(RecordRequest("Film", where: recent)) }
}

// Sources/TidemarkStore/Queries/RecordRequest.swift
private func RecordRequest_1() throws {
    let recent = RecordRequest(
        "Film",
        where: try RecordPredicate("releasedAt >= '1980-01-01'"),
        sort: [.init("director.name"), .init("releasedAt", .descending)],
        limit: 10
    )
    let films = try store.read { db in try db.fetch(recent) }
}

// Sources/TidemarkStore/Queries/Store+SQL.swift
private func Store_SQL_1() throws {
    let recent = try RecordPredicate("releasedAt >= '1980-01-01'")
    let films = try store.sql(for: RecordRequest("Film", where: recent))
    let latest = try store.read { db in
        try SQLRequest<Int>("SELECT max(episode) FROM (\(films))").fetchOne(db.db)
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
    let count = try store.read { db in try db.count("Film") }
}

// Sources/TidemarkStore/Store.swift
private func Store_1() throws {
    let store = try Store.open(at: "films.sqlite", model: model)
    try store.write { db in
        try db.insert("Film", values: ["title": .string("Solaris")])
    }
    let titles = try store.read { db in
        try String.fetchAll(db.db, sql: "SELECT title FROM Film ORDER BY episode")
    }
}

// Sources/TidemarkStore/Transactions/Durability.swift
private func Durability_1() throws {
    try store.write(durability: .relaxed) { db in
        try db.insert("Measurement", values: ["celsius": .double(21.5)])
    }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_1() throws {
    let (films, count) = try store.read { db in
        (try db.fetch(RecordRequest("Film", limit: 10)), try db.count("Film"))
    }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_2() async throws {
    let count = try await store.read { db in try db.count("Film") }
}

// Sources/TidemarkStore/Transactions/Store+Read.swift
private func Store_Read_3() throws {
    let count = try pool.read { db in
        try store.read(in: db) { reader in try reader.count("Film") }
    }
}

// Sources/TidemarkStore/Transactions/Store+Write.swift
private func Store_Write_1() throws {
    let ada = try store.write { db in
        try db.insert("User", values: ["name": .string("Ada")])
    }
}

// Sources/TidemarkStore/Transactions/Store+Write.swift
private func Store_Write_2() async throws {
    try await store.write { db in
        try db.update(RecordLocator("User:6"), values: ["name": .string("Ada")])
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

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_1() throws {
    let films = try store.read { db in
        try db.fetch(RecordRequest("Film", sort: [.init("episode")]))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_2() throws {
    try store.read { db in
        try db.forEach(RecordRequest("Film")) { film in print(film["title"]) }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_3() throws {
    let count = try store.read { db in
        try db.count(RecordRequest("Film", where: RecordPredicate("episode > 3")))
    }
}

// Sources/TidemarkStore/Transactions/StoreReader+Fetch.swift
private func StoreReader_Fetch_4() throws {
    let count = try store.read { db in try db.unresolvedReferenceCount() }
}

// Sources/TidemarkStore/Transactions/StoreReader+Records.swift
private func StoreReader_Records_1() throws {
    let film = try store.read { db in try db.record(RecordLocator("Film:4")) }
    print(film["title"], film.links["characters"] ?? [])
}

// Sources/TidemarkStore/Transactions/StoreReader+Records.swift
private func StoreReader_Records_2() throws {
    let isStored = try store.read { db in try db.find(RecordLocator("Film:4")) != nil }
}

// Sources/TidemarkStore/Transactions/StoreReader.swift
private func StoreReader_1() throws {
    let titles = try store.read { db in
        try db.fetch(RecordRequest("Film", sort: [.init("episode")])).map { $0["title"] }
    }
}

// Sources/TidemarkStore/Transactions/StoreReader.swift
private func StoreReader_2() throws {
    let longest = try store.read { db in
        try Int.fetchOne(db.db, sql: "SELECT max(minutes) FROM Film")
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Erase.swift
private func StoreWriter_Erase_1() throws {
    try store.write { db in try db.erase() }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_1() throws {
    let note = try store.write { db in
        try db.insert(
            "Note",
            values: ["text": .string("Buy milk")],
            links: ["user": [RecordLocator("User:6")]]
        )
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_2() throws {
    let changed = try store.write { db in
        try db.update(RecordLocator("Note:7"), values: ["done": .boolean(true)]).changed
    }
}

// Sources/TidemarkStore/Transactions/StoreWriter+Records.swift
private func StoreWriter_Records_3() throws {
    let deleted = try store.write { db in try db.delete(RecordLocator("User:6")) }
    print(deleted["Note"] ?? 0)
}

// Sources/TidemarkStore/Transactions/StoreWriter.swift
private func StoreWriter_1() throws {
    try store.write { db in
        let ada = try db.insert("User", values: ["name": .string("Ada")])
        try db.insert("Note", values: [:], links: ["user": [RecordLocator(ada)]])
    }
}
