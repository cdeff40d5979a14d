import Testing
import TidemarkImport
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Dry runs of random documents, compared with their imports.
struct DryRunTests {
    private static let model = Model(entities: [
        .named(
            "User",
            [Attribute("email", .string, isOptional: false, defaultValue: .string("x"))],
            .one("company", "Company", inverse: "users"),
            .many("tags", "Tag", inverse: "users", isOrdered: true),
            .many("notes", "Note", inverse: "user", .cascade)
        ),
        .named("Company", [], .many("users", "User", inverse: "company", .deny)),
        .named("Tag", [], .many("users", "User", inverse: "tags")),
        .named("Note", [], .one("user", "User", inverse: "notes")),
    ])

    /// Returns a random document of several entities, whose rows may exist already.
    private func document(_ random: inout SeededGenerator) -> String {
        func id() -> Int { .random(in: 1...8, using: &random) }
        let users = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            var members = ["\"id\": \(id())"]
            if Bool.random(using: &random) { members.append("\"name\": \"\(id())\"") }
            if Bool.random(using: &random) {
                members.append(["\"email\": null", "\"email\": \"a\"", "\"nick\": 1"][id() % 3])
            }
            switch id() % 4 {
            case 0: members.append("\"company_id\": \(id())")
            case 1: members.append("\"company\": {\"id\": \(id()), \"name\": \"\(id())\"}")
            case 2: members.append("\"company\": null")
            default: break
            }
            if Bool.random(using: &random) { members.append("\"tag_ids\": [\(id()), \(id())]") }
            if Bool.random(using: &random) {
                members.append("\"notes\": [{\"id\": \(id())}, {\"id\": \(id())}, {}]")
            }
            return "{\(members.joined(separator: ", "))}"
        }
        return "[\(users.joined(separator: ", "))]"
    }

    @Test(arguments: [1, 77, 4_711, 90_210])
    func `predicts the report of the import exactly, and changes nothing`(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let store = try Store.validated(model: Self.model)
        for round in 0..<20 {
            let json = document(&random)
            let operations: ImportOperations = round % 3 == 0 ? .upsert : .all
            let options = ImportOptions(
                operations: operations,
                unresolved: round % 5 == 0 ? .ignore : .deferred
            )
            let before = try table(of: store)
            var items = try JSONDocument(Array(json.utf8)).items()
            let predicted = try Importer(store).dryRun(&items, into: "User", options: options)
            try expect(table(of: store), is: before)
            let real = try store.report("User", json, options)
            #expect(predicted == real, "\(json)")
            let after = try table(of: store)
            let again = try store.report("User", json, options)
            let isRepeated = (real.diagnostics + again.diagnostics).contains {
                $0.message == "The document has several objects with this key."
            }
            let isUnchanged = try table(of: store) == after
            #expect(isUnchanged || isRepeated, "\(json)")
        }
    }
}
