// The examples in the documentation comments of TidemarkModel, written by `make examples`.
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

// Sources/TidemarkModel/Diagnostic.swift
private func Diagnostic_1() throws {
    var items = try JSONDocument(body).items()
    let report = try importer.import(&items, into: "User")
    for diagnostic in report.diagnostics where diagnostic.severity == .error {
        print(diagnostic)   // User:6, age: The value is not a number. (2 times)
    }
}

// Sources/TidemarkModel/Diagnostic.swift
private func Diagnostic_2() throws {
    for resource in report.resources.values {
        let json = try JSONEncoder().encode(resource.imported.diagnostics)
        print(String(decoding: json, as: UTF8.self))   // [{"severity":"error","entity":"User",…
    }
}

// Sources/TidemarkModel/Limits.swift
private func Limits_1() async throws {
    var limits = Limits()
    limits.concurrency = 2
    limits.http.attempts = 3
    limits.json.itemBytes = 1 << 20
    let engine = try await SyncEngine.prepare(
        store: store,
        service: service,
        resources: [resource],
        transport: URLSessionTransport(limits: limits),
        limits: limits
    )
}

// Sources/TidemarkModel/Limits.swift
private func Limits_2() throws {
    var limits = Limits()
    limits.json.depth = 64
    limits.json.itemBytes = 4 << 20
}

// Sources/TidemarkModel/Limits.swift
private func Limits_3() throws {
    var limits = Limits()
    limits.conflicts.age = .seconds(365 * 86_400)
}

// Sources/TidemarkModel/Limits.swift
private func Limits_4() throws {
    var limits = Limits()
    limits.http.idleTimeout = .seconds(10)
    limits.http.retryTime = .seconds(60)
    limits.http.bodyBytes = 64 << 20
    let transport = URLSessionTransport(limits: limits)
}

// Sources/TidemarkModel/Limits.swift
private func Limits_5() throws {
    var limits = Limits()
    limits.transactionTime = .milliseconds(20)
    let importer = Importer(store, limits: limits)
}

// Sources/TidemarkModel/Mapping/AttributeTransformer.swift
private func AttributeTransformer_1() throws {
    let cents = AttributeTransformer(
        reading: { node in
            guard let amount = Double(node.string) else { throw CocoaError(.formatting) }
            return .integer(Int64((amount * 100).rounded()))
        },
        writing: { value in
            guard case .integer(let cents) = value else { return value }
            return .double(Double(cents) / 100)
        }
    )
    let importer = Importer(store, transformers: ["cents": cents])
    let exporter = Exporter(store, transformers: ["cents": cents])
}

// Sources/TidemarkModel/Mapping/AttributeTransformer.swift
private func AttributeTransformer_2() throws {
    let tags = AttributeTransformer { node in
        .string(node.elements.map(\.string).joined(separator: ","))   // ["a", "b"] becomes a,b
    }
}

// Sources/TidemarkModel/Mapping/AttributeTransformer.swift
private func AttributeTransformer_3() throws {
    enum Level: Int, AttributeValue { case low = 1, high }

    let levels = AttributeTransformer(
        Level.self,
        reading: { node in node.string == "HIGH" ? .high : .low },
        writing: { level in .string(level == .high ? "HIGH" : "LOW") }
    )
}

// Sources/TidemarkModel/Mapping/DateFormat.swift
private func DateFormat_1() throws {
    let options = ExportOptions(dateFormat: try DateFormat("dd.MM.yyyy HH:mm"))
    var json = JSONWriter()
    try store.read { reader in
        try Exporter(store, options: options)
            .write(reader.db, RecordLocator("Film:4"), into: &json)   // "…":"25.05.1977 00:00"
    }
}

// Sources/TidemarkModel/Mapping/DateFormat.swift
private func DateFormat_2() throws {
    let german = try DateFormat("dd.MM.yyyy")
    let milliseconds = try DateFormat("milliseconds")
    do {
        _ = try DateFormat("yyyy-QQ")
    } catch {
        print(error.message)   // The date format `yyyy-QQ` has the field `QQ`, which is not …
    }
}

// Sources/TidemarkModel/Mapping/Inflection.swift
private func Inflection_1() throws {
    var naming = NamingConvention.default
    naming.inflection = naming.inflection
        .adding(singular: "campus", plural: "campuses")
        .adding(uncountable: "feedback")
}

// Sources/TidemarkModel/Mapping/Inflection.swift
private func Inflection_2() throws {
    var naming = NamingConvention.default
    naming.inflection = naming.inflection.adding(singular: "person", plural: "persons")
}

// Sources/TidemarkModel/Mapping/Inflection.swift
private func Inflection_3() throws {
    var naming = NamingConvention.default
    naming.inflection = naming.inflection.adding(uncountable: "feedback")
}

// Sources/TidemarkModel/Mapping/NamingConvention.swift
private func NamingConvention_1() throws {
    var naming = NamingConvention.default
    naming.acronyms.insert("html")   // Body_Html is read into bodyHTML
    naming.inflection = naming.inflection.adding(uncountable: "feedback")
    let importer = Importer(store, naming: naming)
}

// Sources/TidemarkModel/Mapping/NamingConvention.swift
private func NamingConvention_2() throws {
    var naming = NamingConvention.default
    naming.inflection = naming.inflection.adding(singular: "campus", plural: "campuses")
}

// Sources/TidemarkModel/Mapping/NamingConvention.swift
private func NamingConvention_3() throws {
    var naming = NamingConvention.default
    naming.acronyms.formUnion(["html", "isbn"])
}

// Sources/TidemarkModel/Mapping/NamingConvention.swift
private func NamingConvention_4() throws {
    var naming = NamingConvention.default
    naming.reservedWords.append("operator")   // ruleOperator reads the operator of a Rule
}

// Sources/TidemarkModel/ModelError.swift
private func ModelError_1() throws {
    do {
        try model.validate()
    } catch let error as ModelError where error.code == .invalid {
        print(error.message)
        print(error.hint ?? "")
    }
}

// Sources/TidemarkModel/Patterns/TextFolding.swift
private func TextFolding_1() throws {
    let some = Note.filter { $0.text.contains("tea", folding: [.caseInsensitive]) }
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_1() throws {
    let entity = EntityDescription("User") {
        Attribute("id", .integer64)
        Attribute("email", .string, isOptional: false)
        Attribute("bornAt", .date, dateFormat: "dd.MM.yyyy")
        Attribute("city", .string, remoteKey: "address.city")
    }
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_2() throws {
    let state = Attribute("state", .string, defaultValue: .string("open"))
    let count = Attribute("count", .integer32, defaultValue: .integer(0))
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_3() throws {
    let rating = Attribute("rating", .integer16, validation: .init(minimum: 1, maximum: 5))
    let zip = Attribute("zip", .string, validation: .init(pattern: "[0-9]{5}"))
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_4() throws {
    var email = Attribute("email", .string, remoteKey: "mail")
    email.json.isExportable = false
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_5() throws {
    let name = Attribute("fullName", .string, renamingIdentifier: "name")
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_6() throws {
    let total = Attribute("total", .decimal, validation: .init(minimum: 0))
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_7() throws {
    let name = Attribute("name", .string, remoteKey: "full_name")
    let city = Attribute("city", .string, remoteKey: "address.city")
    let tag = Attribute("firstTag", .string, remoteKey: "tags.0")
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_8() throws {
    let model = Model {
        EntityDescription("Item") {
            Attribute("id", .integer64)
            Attribute("price", .integer64, valueTransformer: "cents")
        }
    }
    let store = try Store.inMemory(model: model)
    let cents = AttributeTransformer { .integer(Int64((($0.double ?? 0) * 100).rounded())) }
    let importer = Importer(store, transformers: ["cents": cents])
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_9() throws {
    let day = Attribute("day", .date, dateFormat: "dd.MM.yyyy")   // "09.01.2016"
    let seen = Attribute("seen", .date, dateFormat: "milliseconds")
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_10() throws {
    let thumbnail = Attribute("thumbnail", .binary, encoding: .base64)   // "iVBORw=="
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_11() throws {
    let age = Attribute("age", .integer16, nullValues: ["unknown", "n/a", "0"])
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_12() throws {
    let photo = Attribute("photo", .uri, isAsset: true)
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_13() throws {
    let age = Attribute.Validation(minimum: 0, maximum: 150)
    let code = Attribute.Validation(minimum: 2, pattern: "[A-Z]+")
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_14() throws {
    let state = Attribute.Validation(pattern: "open|paid|sent")
}

// Sources/TidemarkModel/Schema/Attribute.swift
private func Attribute_15() throws {
    let price = Attribute("price", .decimal)   // TEXT, exact: 12.20 is stored as 12.2
    let paidAt = Attribute("paidAt", .date)    // REAL, seconds since 1970
    let meta = Attribute("meta", .json)        // TEXT, any JSON value
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_1() throws {
    let order = EntityDescription("Order", primaryKey: ["number"]) {
        Attribute("number", .integer64)
        Attribute("total", .decimal)
        Relationship("user", to: "User", inverse: "orders")
    }
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_2() throws {
    let model = Model {
        EntityDescription("Item", discriminator: "type") {
            Attribute("id", .integer64)
            Attribute("title", .string)
        }
        EntityDescription("Book", parent: "Item") { Attribute("pages", .integer32) }
        EntityDescription("Film", parent: "Item") { Attribute("minutes", .integer32) }
    }
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_3() throws {
    let seat = EntityDescription("Seat", primaryKey: ["row", "number"]) {
        Attribute("row", .string)
        Attribute("number", .integer16)
    }
    let comment = EntityDescription("Comment", primaryKey: ["post", "number"]) {
        Attribute("number", .integer32)
        Relationship("post", to: "Post", inverse: "comments")
    }
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_4() throws {
    let user = EntityDescription("User", uniquenessConstraints: [["email"]]) {
        Attribute("id", .integer64)
        Attribute("email", .string)
    }
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_5() throws {
    var article = model.entities[0]
    article.json.ignoredKeys = ["etag", "links.self"]
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_6() throws {
    let recent = FetchIndex(
        "byUserAndDate",
        elements: [.init("user"), .init("createdAt", isAscending: false)]
    )
    let order = EntityDescription("Order", fetchIndexes: [recent]) {
        Attribute("id", .integer64)
        Attribute("createdAt", .date)
        Relationship("user", to: "User")
    }
}

// Sources/TidemarkModel/Schema/EntityDescription.swift
private func EntityDescription_7() throws {
    let index = FetchIndex("byState", elements: [.init("state")])
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_1() throws {
    let model = Model {
        EntityDescription("User") {
            Attribute("id", .integer64)
            Attribute("name", .string, isOptional: false)
            Relationship("notes", to: "Note", isToMany: true, inverse: "user")
        }
        EntityDescription("Note") {
            Attribute("id", .integer64)
            Relationship("user", to: "User", inverse: "notes")
        }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_2() throws {
    let stamps = EntityDescription("Stamps") {
        for name in ["createdAt", "updatedAt"] { Attribute(name, .date) }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_3() throws {
    func timestamps() -> [EntityProperty] {
        [.attribute(Attribute("createdAt", .date)), .attribute(Attribute("updatedAt", .date))]
    }
    let note = EntityDescription("Note") {
        Attribute("id", .integer64)
        timestamps()
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_4() throws {
    func entity(
        _ name: String,
        @ListBuilder<EntityProperty> properties: () -> [EntityProperty]
    ) -> EntityDescription {
        EntityDescription(name) {
            Attribute("id", .uuid)
            properties()
        }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_5() throws {
    let model = Model {
        EntityDescription("User") { Attribute("id", .integer64) }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_6() throws {
    let shared = [EntityDescription("Tag") { Attribute("id", .string) }]
    let model = Model {
        shared
        EntityDescription("Note") { Attribute("id", .integer64) }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_7() throws {
    let hasDrafts = CommandLine.arguments.contains("--drafts")
    let note = EntityDescription("Note") {
        Attribute("id", .integer64)
        if hasDrafts { Attribute("isDraft", .boolean) }
    }
}

// Sources/TidemarkModel/Schema/Model+Builder.swift
private func Model_Builder_8() throws {
    let price = EntityDescription("Price") {
        for currency in ["eur", "usd"] { Attribute(currency, .decimal) }
    }
}

// Sources/TidemarkModel/Schema/Model+Codable.swift
private func Model_Codable_1() throws {
    let text = #"""
        {"entities": {"User": {"attributes": {"id": "integer64", "name": "string"}}}}
        """#
    let model = try JSONDecoder().decode(Model.self, from: Data(text.utf8))
    print(model.entities[0].attributes.map(\.name))   // ["id", "name"]
}

// Sources/TidemarkModel/Schema/Model+Codable.swift
private func Model_Codable_2() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(model).write(to: url)
}

// Sources/TidemarkModel/Schema/Model+Validation.swift
private func Model_Validation_1() throws {
    let model = Model {
        EntityDescription("User") { Attribute("name", .string) }
    }
    for warning in try model.validate() { print(warning) }
    // User: It has no primary key, so its objects cannot be imported or pulled as a list of …
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_1() throws {
    let model = Model {
        EntityDescription("Film") {
            Attribute("id", .integer64, remoteKey: "url")
            Attribute("title", .string)
        }
    }
    let store = try Store.open(at: "films.sqlite", model: model)
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_2() throws {
    let entities = ["Country", "Currency"].map { name in
        EntityDescription(name) {
            Attribute("code", .string)
            Attribute("name", .string)
        }
    }
    let model = Model(entities: entities)
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_3() throws {
    let isRequired = model["User"]?.attributes.first { $0.name == "email" }?.isOptional == false
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_4() throws {
    for record in try store.read({ try $0.fetch(RecordRequest("User")) }) {
        guard let entity = store.model[record.reference.entity] else { continue }
        for attribute in store.model.attributes(of: entity) {
            print(attribute.name, record[attribute.name])
        }
    }
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_5() throws {
    let lists = model["User"].map { model.relationships(of: $0).filter(\.isToMany).map(\.name) }
}

// Sources/TidemarkModel/Schema/Model.swift
private func Model_6() throws {
    let user = EntityDescription("User") { Attribute("id", .integer64) }
    let key = Model(entities: [user]).primaryKey(of: user)   // ["id"]
}

// Sources/TidemarkModel/Schema/ModelIssue.swift
private func ModelIssue_1() throws {
    for warning in try model.validate() where warning.path.hasPrefix("Order") {
        print(warning.message, warning.hint ?? "")
    }
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_1() throws {
    let model = Model {
        EntityDescription("User") {
            Attribute("id", .integer64)
            Relationship("notes", to: "Note", isToMany: true, inverse: "user", deleteRule: .cascade)
        }
        EntityDescription("Note") {
            Attribute("id", .integer64)
            Relationship("user", to: "User", inverse: "notes")   // "user": {…}, or "user_id": 6
        }
    }
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_2() throws {
    let steps = Relationship(
        "steps", to: "Step", isToMany: true, isOrdered: true, inverse: "recipe"
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_3() throws {
    var author = Relationship("author", to: "User", remoteKey: "created_by")
    author.json.isExportable = false
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_4() throws {
    let tags = Relationship("tags", to: "Tag", isToMany: true, inverse: "articles")
    let comments = Relationship(
        "comments", to: "Comment", isToMany: true, inverse: "article", orphans: .unlink
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_5() throws {
    let author = Relationship(
        "author", to: "User", inverse: "posts", remoteKey: "data.created_by"
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_6() throws {
    let author = Relationship(
        "author", to: "User", inverse: "posts", referenceKeys: ["creator"]
    )
    let seat = Relationship("seat", to: "Seat", referenceKeys: ["seat_row", "seat_no"])
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_7() throws {
    let parent = Relationship(
        "parent", to: "Folder", inverse: "children", nullValues: ["0", "none"]
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_8() throws {
    var stops = Relationship("stops", to: "Stop", isToMany: true, inverse: "route")
    stops.json.push = .list    // PATCH routes/7 {"stops": [3, 1, 2]}
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_9() throws {
    let notes = Relationship(
        "notes", to: "Note", isToMany: true, inverse: "user", orphans: .unlink
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_10() throws {
    let tags = Relationship(
        "tags", to: "Tag", isToMany: true, inverse: "articles", push: .thisSide
    )
}

// Sources/TidemarkModel/Schema/Relationship.swift
private func Relationship_11() throws {
    let orders = Relationship(
        "orders", to: "Order", isToMany: true, inverse: "user", deleteRule: .deny
    )
}

// Sources/TidemarkModel/SystemEnvironment.swift
private func SystemEnvironment_1() throws {
    var environment = SystemEnvironment.live
    environment.now = { Date(timeIntervalSince1970: 1_700_000_000) }
    environment.sleep = { _ in try Task.checkCancellation() }
}

// Sources/TidemarkModel/SystemEnvironment.swift
private func SystemEnvironment_2() throws {
    if let holder = try SyncStatus.of(store).running {
        print("The lease is held by process \(holder.number) on \(holder.host).")
    }
}

// Sources/TidemarkModel/Values/AttributeValue.swift
private func AttributeValue_1() throws {
    enum Status: String, AttributeValue { case open, done }
}

// Sources/TidemarkModel/Values/JSONText.swift
private func JSONText_1() throws {
    let settings: JSONText = #"{"theme": "dark"}"#
}

// Sources/TidemarkModel/Values/RecordKey.swift
private func RecordKey_1() async throws {
    for try await batch in try await store.changes() {
        for change in batch.changes where change.key == 6 {
            print("\(change.entity) 6: \(change.kind)")
        }
    }
}

// Sources/TidemarkModel/Values/RecordKey.swift
private func RecordKey_2() throws {
    let parts: [Value] = [.string("A"), .integer(12)]
    let seat = RecordKey(parts)
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_1() throws {
    let film = try store.write { writer in
        try writer.insert("Film", values: ["title": .string("A New Hope"), "episode": .integer(4)])
    }
    let title = try store.read { try $0.record(RecordLocator(film))["title"] }
    if case .string(let text) = title { print(text) }   // A New Hope
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_2() throws {
    let count = try store.read { try $0.record(RecordLocator("Film:4"))["rating"] }
    if case .integer(let rating) = count, rating > 3 { print("recommended") }
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_3() throws {
    let yesterday = Value.date(Date().timeIntervalSince1970 - 86_400)
    let recent = try RecordPredicate("createdAt > %@", yesterday)
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_4() throws {
    let token = Value.uuid(UUID().uuidString)
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_5() throws {
    let specs = try JSONEncoder().encode(["rows": 10])
    try store.write { writer in
        try writer.update(
            RecordLocator("Product:7"),
            values: ["specs": .json(String(decoding: specs, as: UTF8.self))]
        )
    }
}

// Sources/TidemarkModel/Values/Value.swift
private func Value_6() throws {
    let isEqual = Value.string("\u{E9}") == Value.string("e\u{301}")   // false
    let isSame = Value.integer(1) == Value.double(1)                   // false
}
