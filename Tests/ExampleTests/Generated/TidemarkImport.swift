// The examples in the documentation comments of TidemarkImport, written by `make examples`.
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

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_1() throws {
    var json = JSONWriter()
    try store.writer.read { db in
        try Exporter(store).write(db, RecordLocator("User:6"), into: &json)
    }
}

// Sources/TidemarkImport/Export/Exporter.swift
private func Exporter_2() throws {
    try Exporter(store).write(db, RecordLocator("User:6"), only: ["name", "company"], into: &json)
}

// Sources/TidemarkImport/ImportHooks.swift
private func ImportHooks_1() throws {
    let hooks = ImportHooks(
        willImport: { _, item, _ in
            item.node(at: "draft")?.boolean == true ? .skip : .keep
        },
        didImport: { db, row, change in
            try db.execute(
                sql: "INSERT INTO journal (line) VALUES (?)",
                arguments: ["\(change) \(row)"]
            )
        }
    )
    let importer = Importer(store, hooks: hooks)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_1() throws {
    // References to companies that are never imported are not stored.
    let options = ImportOptions(unresolved: .ignore)
}

// Sources/TidemarkImport/ImportOptions.swift
private func ImportOptions_2() throws {
    // An unknown status becomes null; the other attributes of the row are updated.
    let options = ImportOptions(invalid: .null, showsValues: true)
    let report = try importer.import(&items, into: "Order", options: options)
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
    var items = try JSONDocument(body).items(at: "data.users")
    let options = ImportOptions(operations: .upsert)
    let report = try importer.import(&items, into: "User", options: options)
    if report.unresolved > 0 { print(report) }
}

// Sources/TidemarkImport/Importer.swift
private func Importer_3() throws {
    var (users, notes) = (items, items)
    try store.writer.write { db in
        _ = try importer.import(db, &users, into: "User")
        _ = try importer.import(db, &notes, into: "Note")
    }
}

// Sources/TidemarkImport/Session/DeletionGuard.swift
private func DeletionGuard_1() throws {
    var options = PullOptions()
    options.deletionGuard = DeletionGuard(share: 0.2, rows: 20)
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
}
