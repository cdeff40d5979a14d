import Foundation
import Testing
import TidemarkModel

/// The differences between two models, and their descriptions.
struct ModelDifferenceTests {
    /// Parses a model from the entities of a model file; words need no quotes.
    private func model(_ entities: String) throws -> Model {
        let json = "{entities: {\(entities)}}".replacing(/[A-Za-z][\w.]*/) { match in
            let word = String(match.output)
            return word == "true" || word == "false" ? word : "\"\(word)\""
        }
        return try JSONDecoder().decode(Model.self, from: Data(json.utf8))
    }

    @Test(arguments: Comparison.all) func `describes differences`(comparison: Comparison) throws {
        let changes = try model(comparison.old).changes(to: model(comparison.new))
        #expect(changes.map(\.description) == comparison.changes)
    }

    @Test func `a model does not differ from itself, in any order`() throws {
        let model = try model(Comparison.school)
        #expect(model.changes(to: model).isEmpty)
        var other = model
        other.entities.reverse()
        other.entities[0].attributes.reverse()
        #expect(model.changes(to: other).isEmpty)
    }

    @Test func `models with nothing in common differ by additions and drops`() throws {
        let model = try model("A: {}, B: {}")
        #expect(Model().changes(to: model).map(\.description) == ["add A", "add B"])
        #expect(model.changes(to: Model()).map(\.description) == ["drop A", "drop B"])
    }

    /// Two models and their differences.
    struct Comparison: CustomTestStringConvertible, Sendable {
        let name: String
        let old: String
        let new: String
        let changes: [String]
        var testDescription: String { name }

        static let school = """
            Person: {attributes: {id: integer64, name: string}, \
            relationships: {boss: {to: Person}}}, \
            Pupil: {parent: Person, attributes: {note: string}}
            """

        private static func attribute(_ text: String) -> String {
            "A: {attributes: {id: integer64, \(text)}}"
        }

        private static func relationship(_ text: String) -> String {
            "A: {relationships: {\(text)}}, B: {}"
        }

        static let all = renamings + attributes + relationships + families

        private static let renamings = [
            Comparison(
                name: "an attribute renamed",
                old: attribute("x: string"),
                new: attribute("y: {type: string, renamedFrom: x}"),
                changes: ["rename A.x to y"]
            ),
            Comparison(
                name: "a renaming that has been done",
                old: attribute("y: {type: string, renamedFrom: x}"),
                new: attribute("x: string, y: {type: string, renamedFrom: x}"),
                changes: ["add A.x"]
            ),
            Comparison(
                name: "a renaming undone",
                old: attribute("y: {type: string, renamedFrom: x}"),
                new: attribute("x: string"),
                changes: ["rename A.y to x"]
            ),
            Comparison(
                name: "a renaming that keeps the oldest name",
                old: attribute("y: {type: string, renamedFrom: x}"),
                new: attribute("z: {type: string, renamedFrom: x}"),
                changes: ["rename A.y to z"]
            ),
            Comparison(
                name: "a renaming whose identifier is no more",
                old: attribute("y: {type: string, renamedFrom: x}"),
                new: attribute("y: string"),
                changes: []
            ),
            Comparison(
                name: "an identifier that is the name",
                old: attribute("y: string"),
                new: attribute("y: {type: string, renamedFrom: y}"),
                changes: []
            ),
            Comparison(
                name: "names exchanged",
                old: attribute("x: string, y: string"),
                new: attribute(
                    "x: {type: string, renamedFrom: y}, y: {type: string, renamedFrom: x}"
                ),
                changes: ["rename A.y to x", "rename A.x to y"]
            ),
            Comparison(
                name: "an entity and what refers to it",
                old: "A: {relationships: {b: {to: B}}}, B: {}, C: {parent: B}",
                new: "A: {relationships: {b: {to: D}}}, D: {renamedFrom: B}, C: {parent: D}",
                changes: ["rename B to D"]
            ),
            Comparison(
                name: "a name without an identifier",
                old: attribute("x: string"),
                new: attribute("y: string"),
                changes: ["drop A.x", "add A.y"]
            ),
        ]

        private static let attributes = [
            Comparison(
                name: "a type",
                old: attribute("x: string"),
                new: attribute("x: date"),
                changes: ["change A.x from string to date"]
            ),
            Comparison(
                name: "required",
                old: attribute("x: string"),
                new: attribute("x: {type: string, optional: false}"),
                changes: ["require A.x"]
            ),
            Comparison(
                name: "optional",
                old: attribute("x: {type: string, optional: false}"),
                new: attribute("x: string"),
                changes: ["make A.x optional"]
            ),
            Comparison(
                name: "a key is never required",
                old: "A: {attributes: {id: {type: string, optional: false}}}",
                new: "A: {attributes: {id: string}}",
                changes: ["annotate A.id"]
            ),
            Comparison(
                name: "transient",
                old: attribute("x: string"),
                new: attribute("x: {type: string, transient: true}"),
                changes: ["drop A.x"]
            ),
            Comparison(
                name: "stored",
                old: attribute("x: {type: string, transient: true}"),
                new: attribute("x: string"),
                changes: ["add A.x"]
            ),
            Comparison(
                name: "bounds, names in JSON and defaults",
                old: attribute("x: string, y: string, z: integer16"),
                new: attribute(
                    """
                    x: {type: string, max: 4}, y: {type: string, remoteKey: why}, \
                    z: {type: integer16, default: 4}
                    """
                ),
                changes: ["annotate A.x", "annotate A.y", "annotate A.z"]
            ),
            Comparison(
                name: "a key",
                old: attribute("x: string"),
                new: "A: {primaryKey: [x, id], attributes: {id: integer64, x: string}}",
                changes: ["change key of A from id to x, id"]
            ),
            Comparison(
                name: "a key under another name",
                old: "A: {primaryKey: x, attributes: {x: string}}",
                new: "A: {primaryKey: y, attributes: {y: {type: string, renamedFrom: x}}}",
                changes: ["rename A.x to y"]
            ),
            Comparison(
                name: "constraints and indexes",
                old: "A: {unique: [[x]], indexes: [x], attributes: {x: string, y: string}}",
                new: "A: {unique: [[x, y]], indexes: [y], attributes: {x: string, y: string}}",
                changes: [
                    "drop uniqueness A(x)", "add uniqueness A(x, y)", "drop index A.x",
                    "add index A.y",
                ]
            ),
        ]

        private static let relationships = [
            Comparison(
                name: "to-many, in order",
                old: relationship("r: {to: B}"),
                new: relationship("r: {to: B, toMany: true, ordered: true}"),
                changes: ["make A.r to-many", "order A.r"]
            ),
            Comparison(
                name: "to-one",
                old: relationship("r: {to: B, toMany: true, ordered: true}"),
                new: relationship("r: {to: B}"),
                changes: ["make A.r to-one", "take order from A.r"]
            ),
            Comparison(
                name: "another destination and rule",
                old: relationship("r: {to: B}"),
                new: relationship("r: {to: A, deleteRule: cascade}"),
                changes: [
                    "lead A.r to A instead of B",
                    "change delete rule of A.r from nullify to cascade",
                ]
            ),
            Comparison(
                name: "an inverse",
                old: relationship("r: {to: B}"),
                new: """
                    A: {relationships: {r: {to: B, inverse: s}}}, \
                    B: {relationships: {s: {to: A, inverse: r, toMany: true}}}
                    """,
                changes: ["change inverse of A.r from nothing to s", "add B.s"]
            ),
            Comparison(
                name: "a count and a name in JSON",
                old: relationship("r: {to: B, toMany: true}"),
                new: relationship("r: {to: B, toMany: true, remoteKey: all}"),
                changes: ["annotate A.r"]
            ),
            Comparison(
                name: "an attribute that becomes a relationship",
                old: attribute("r: string"),
                new: "A: {attributes: {id: integer64}, relationships: {r: {to: A}}}",
                changes: ["drop A.r", "add A.r"]
            ),
        ]

        private static let families = [
            Comparison(
                name: "inherited properties are reported once",
                old: school,
                new: school.replacing("name: string", with: "name: date, more: string")
                    .replacing("{to: Person}", with: "{to: Person, toMany: true}"),
                changes: [
                    "add Person.more", "change Person.name from string to date",
                    "make Person.boss to-many",
                ]
            ),
            Comparison(
                name: "moved to the parent",
                old: school,
                new: school.replacing("name: string", with: "name: string, note: string")
                    .replacing(", attributes: {note: string}", with: ""),
                changes: ["add Person.note"]
            ),
            Comparison(
                name: "moved to the child",
                old: school,
                new: school.replacing(", name: string", with: "")
                    .replacing("{note: string", with: "{note: string, name: string"),
                changes: ["drop Person.name"]
            ),
            Comparison(
                name: "without the parent",
                old: school,
                new: "Pupil: {attributes: {id: integer64, name: string, note: string}}",
                changes: [
                    "put Pupil under nothing instead of Person",
                    "move Pupil from table Person to table Pupil", "drop Pupil.boss",
                    "drop Person",
                ]
            ),
            Comparison(
                name: "abstract, with a table of its own",
                old: school,
                new: school.replacing("Person: {", with: "Person: {abstract: true, "),
                changes: ["make Person abstract"]
            ),
            Comparison(
                name: "abstract, and dissolved",
                old: "Base: {attributes: {id: integer64}}, User: {parent: Base}",
                new: "Base: {abstract: true, attributes: {id: integer64}}, User: {parent: Base}",
                changes: ["make Base abstract", "move User from table Base to table User"]
            ),
        ]
    }
}
