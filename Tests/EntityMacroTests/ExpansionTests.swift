import Foundation
import Testing

/// What the macro writes for the types of `Samples.swift`, as text.
struct ExpansionTests {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()

    @Test("the samples expand to the committed text")
    func samples() throws {
        let samples = Self.folder.appending(path: "Samples.swift")
        let expansion = Expansion(of: try String(contentsOf: samples, encoding: .utf8))
        let committed = Self.folder.appending(path: "Samples.expanded.txt")
        let actual = FileManager.default.temporaryDirectory.appending(path: "Samples.expanded.txt")
        try expansion.text.write(to: actual, atomically: true, encoding: .utf8)
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.text == (try String(contentsOf: committed, encoding: .utf8)),
            "The expansion is \(actual.path): copy it to the committed file if it should be so."
        )
    }

    @Test("a struct with an initializer of its own is given none")
    func initializer() {
        let expansion = Expansion(
            of: """
                @Entity struct Tag {
                    var name: String
                    init(_ name: String) { self.name = name }
                }
                """
        )
        #expect(!expansion.text.contains("init(name: String)"))
        #expect(expansion.diagnostics == [])
    }

    @Test("an expression is no more accessible than its property")
    func access() {
        let expansion = Expansion(
            of: """
                @Entity public struct Tag {
                    public var name: String
                    private var hidden: String?
                    var count = 0, total: Double = 0
                }
                """
        )
        let members = expansion.text.split(separator: "\n").filter { $0.contains("{ _path.") }
        #expect(
            members.map { String($0.prefix(50).trimmingPrefix { $0 == " " }) } == [
                "public var name: TidemarkStore.AttributeEx",
                "fileprivate var hidden: TidemarkStore.Attr",
                "var count: TidemarkStore.AttributeExpressi",
                "var total: TidemarkStore.AttributeExpressi",
            ]
        )
    }

    @Test("the model has no default for an initial value that may differ each time")
    func defaults() {
        let expansion = Expansion(
            of: """
                @Entity struct Tag {
                    var id: UUID = UUID()
                    var createdAt: Date = .now
                    var limit: Decimal = Decimal(5)
                    var kind: Kind = .plain
                    var share = -0.5
                    var token = "a-\\(UUID())"
                    var title: String = Defaults.title
                    var age: Int? = .none
                    @JSON var theme: Theme = .standard
                }
                """
        )
        let attributes = expansion.text.split(separator: "\n")
            .filter { $0.contains("TidemarkModel.Attribute(") }
            .map { $0.trimmingPrefix { $0 == " " }.dropFirst("TidemarkModel.Attribute".count) }
        #expect(
            attributes == [
                #"("id", UUID.attributeType, isOptional: false)"#,
                #"("createdAt", Date.attributeType, isOptional: false)"#,
                #"("limit", Decimal.attributeType, isOptional: false)"#,
                #"("kind", Kind.attributeType, isOptional: false, "#
                    + #"defaultValue: (.plain as Kind).attributeValue)"#,
                #"("share", Double.attributeType, isOptional: false, "#
                    + #"defaultValue: (-0.5 as Double).attributeValue)"#,
                #"("token", String.attributeType, isOptional: false)"#,
                #"("title", String.attributeType, isOptional: false)"#,
                #"("age", Int.attributeType)"#,
                #"("theme", .json, isOptional: false)"#,
            ]
        )
    }

    @Test("the parameters of the initializer have the types that are written")
    func parameters() {
        let expansion = Expansion(
            of: """
                @Entity struct Tag {
                    var name: Optional<String>
                    @Transient var first: (() -> Void) = {}
                    @Transient var second: Optional<() -> Void>
                    @Transient var third: (any A & B)?
                }
                """
        )
        #expect(
            expansion.text.contains(
                """
                    nonisolated init(name: Optional<String> = nil, \
                first: @escaping (() -> Void) = {}, second: Optional<() -> Void> = nil, \
                third: (any A & B)? = nil) {
                """
            )
        )
    }

    @Test("an id that the struct declares is not declared again, in a branch of #if either")
    func identity() {
        func declarations(_ members: String) -> Int {
            let text = Expansion(of: "@Entity struct Tag {\n\(members)\n}").text
            return text.components(separatedBy: "var id:").count - 1
        }
        #expect(declarations("var name: String") == 1)
        #expect(declarations("static let id = 5") == 1)
        #expect(declarations("var id: Int { 5 }") == 1)
        #expect(declarations("#if DEBUG\nvar id: Int { 5 }\n#else\nvar id: Int { 6 }\n#endif") == 2)
    }

    @Test("an entity that inherits names its parent, and declares its key")
    func parent() {
        let expansion = Expansion(
            of: """
                @Entity(parent: Vehicle.self, userInfo: ["tidemark.path": "cars"]) struct Car {
                    @PrimaryKey var id: Int
                }
                """
        )
        #expect(
            expansion.text.contains(
                #"EntityDescription(entityName, parent: Vehicle.entityName, primaryKey: ["id"], "#
                    + #"userInfo: ["tidemark.path": "cars"]) {"#
            )
        )
    }
}
