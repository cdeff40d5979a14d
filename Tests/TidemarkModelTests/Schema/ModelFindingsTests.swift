import Testing

@testable import TidemarkModel

struct ModelFindingsTests {
    @Test(arguments: rows.indices)
    func `reports each issue with its path and a hint`(index: Int) {
        let row = Self.rows[index]
        let model = Model(entities: row.entities)
        let findings = model.findings()
        let finding = findings.first { $0.path == row.place && $0.message.contains(row.message) }
        #expect(finding?.severity == row.severity, "\(row.place) \(row.message): \(findings)")
        #expect(finding?.hint != nil)
        let hasErrors = findings.contains { $0.severity == .error }
        if hasErrors {
            #expect(throws: ModelError.self) { try model.validate() }
        } else {
            #expect(throws: Never.self) { try model.validate() }
        }
    }

    @Test func `validating a model returns its warnings, such as an entity that cannot be pulled`()
        throws
    {
        let model = Model(entities: [
            EntityDescription("Thing", attributes: [Attribute("name", .string)]),
            EntityDescription("User", attributes: [Attribute("id", .integer64)]),
        ])
        let warnings = try model.validate()
        #expect(warnings.map(\.path) == ["Thing"])
        #expect(warnings.map(\.severity) == [.warning])
    }

    @Test func `reports no issue in a valid model`() {
        let model = Model(entities: [
            Self.user(relationships: [
                Relationship("notes", to: "Note", isToMany: true, inverse: "user")
            ]),
            EntityDescription(
                "Note",
                attributes: [Self.id, Attribute("userType", .string)],
                relationships: [Relationship("user", to: "User", inverse: "notes")]
            ),
        ])
        #expect(model.findings() == [])
    }

    @Test(arguments: [(false, [String]()), (true, ["User.notes"])])
    func `reports an order that no push sends`(sendsNotes: Bool, paths: [String]) {
        var reference = Relationship("user", to: "User", inverse: "notes")
        if sendsNotes { reference.json.push = .thisSide }
        let notes = Relationship(
            "notes",
            to: "Note",
            isToMany: true,
            isOrdered: true,
            inverse: "user"
        )
        let model = Model(entities: [
            Self.user(relationships: [notes]),
            EntityDescription("Note", attributes: [Self.id], relationships: [reference]),
        ])
        let findings = model.findings()
        #expect(findings.map(\.path) == paths)
        #expect(findings.allSatisfy { $0.severity == .warning && $0.message.contains("order") })
        #expect(findings.allSatisfy { $0.hint?.contains("push: list") == true })
    }

    @Test(arguments: [
        ("first-name", false, "firstName"), ("_rev", false, "rev"), ("2fa", false, "value2fa"),
        ("sqlite_x", false, "x"), ("größe", false, "grE"), ("", false, "value"),
        ("@id", false, "id"),
        ("my thing", true, "MyThing"), ("__", true, "Thing"),
    ])
    func `proposes a valid name`(name: String, isEntity: Bool, proposal: String) {
        #expect(ModelCheck.proposal(for: name, isEntity: isEntity) == proposal)
        let model = Model(entities: [
            isEntity
                ? EntityDescription(name, attributes: [Self.id])
                : EntityDescription(
                    "User",
                    primaryKey: [name],
                    attributes: [Attribute(name, .string)]
                )
        ])
        let hint = model.findings().first?.hint
        #expect(hint?.contains("“\(proposal)”") == true)
        #expect(hint?.contains("“\(name)” as remoteKey") == !isEntity)
    }

    @Test func `reports the first error and lists the others`() {
        let model = Model(entities: [
            Self.user(
                relationships: (0..<12).map { Relationship("r\($0)", to: "Gone", inverse: "x") }
            )
        ])
        let error = #expect(throws: ModelError.self) { try model.validate() }
        #expect(error?.message.hasPrefix("User.r0: Its destination “Gone”") == true)
        #expect(error?.description.contains("User.r9: ") == true)
        #expect(error?.description.contains("… and 2 more") == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a long chain of entities is checked in time proportional to its length`() {
        let root = EntityDescription("E0", attributes: [Attribute("id", .integer64)])
        let others = (1..<500).map { number in
            EntityDescription(
                "E\(number)",
                parent: "E\(number - 1)",
                attributes: [Attribute("a\(number)", .string)]
            )
        }
        let model = Model(entities: [root] + others)
        #expect(model.findings().isEmpty)
        #expect(model.family(of: root).count == 500)
        #expect(model.lineage(of: others[498]).count == 500)
    }

    @Test func `a model finds entities by their current names`() {
        var model = Model(entities: [EntityDescription("A"), EntityDescription("B", parent: "A")])
        #expect(model["C"] == nil)
        #expect(model.family(of: EntityDescription("A")).map(\.name) == ["A", "B"])
        model.entities[1].name = "C"
        model.entities.append(EntityDescription("D", parent: "C"))
        #expect(model["B"] == nil)
        #expect(model["C"]?.parent == "A")
        #expect(model.family(of: EntityDescription("A")).map(\.name) == ["A", "C", "D"])
        #expect(model == Model(entities: model.entities))
    }
}
