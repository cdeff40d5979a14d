import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Invalid models: each is reported with the position or the element, and no store is created.
struct ModelFileTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let message: String
        var testDescription: String { message }
    }

    private static let cases = [
        Case(
            name: "m.yml",
            text: "entities:\n  User:\n    attributes: {id: integer64\n",
            message: "m.yml, line 4, column 1: not valid YAML: did not find expected ',' or '}'."
        ),
        Case(
            name: "m.yml",
            text:
                "entities:\n  User:\n    attributes: {id: integer64}\n  User:\n    attributes: {}\n",
            message: "m.yml, line 2, column 3: duplicate key User."
        ),
        Case(
            name: "m.yml",
            text: "entities:\n  User: &u\n    attributes: {id: integer64}\n  Other: *u\n",
            message: """
                m.yml, line 2, column 9: anchors and aliases are not allowed. Write it out.
                """
        ),
        Case(
            name: "m.yml",
            text: "entities:\n  User:\n    attributes: {id: &i integer64, name: *i}\n",
            message: """
                m.yml, line 3, column 22: anchors and aliases are not allowed. Write it out.
                """
        ),
        Case(
            name: "m.yml",
            text: "entities:\n  User:\n    primaryKey: &k [id]\n    attributes: {id: integer64}\n",
            message: """
                m.yml, line 3, column 17: anchors and aliases are not allowed. Write it out.
                """
        ),
        Case(name: "m.yml", text: "", message: "m.yml: the file is empty."),
        Case(
            name: "m.yml",
            text: "entities:\n  User:\n    attributes: {id: integer65}\n",
            message: """
                m.yml: entities.User.attributes.id cannot be “integer65”. It is one of: integer16, \
                integer32, integer64, decimal, double, float, string, boolean, date, binary, uuid, \
                uri, transformable, json.
                """
        ),
        Case(
            name: "m.yml",
            text: "entities:\n  User:\n    atributes: {id: integer64}\n",
            message: """
                m.yml: entities.User: an entity has no key “atributes”. It may have: parent, \
                abstract, primaryKey, attributes, relationships, unique, indexes, discriminator, \
                identity, ignore, renamedFrom, userInfo, order.
                """
        ),
        Case(
            name: "m.json",
            text: "{\"entities\":\n{\"User\"\n",
            message: "m.json, line 3, column 1: not valid YAML: did not find expected ',' or '}'."
        ),
        Case(
            name: "M.xcdatamodel/contents",
            text: #"<model><entity name="A""#,
            message: """
                “M.xcdatamodel/contents”, line 1, column 24: this is not well-formed XML. \
                Check that the file is whole.
                """
        ),
    ]

    @Test(arguments: cases)
    func `a model that cannot be read is reported with its position and creates no store`(
        _ given: Case
    ) async throws {
        let folder = try Sample.folder()
        try folder.write(given.text, to: given.name)
        let path = given.name.split(separator: "/").first.map(String.init) ?? given.name
        for command in [
            ["import", "users.json", "--into", "User", "--store", "s.db", "--model", path],
            ["model", "show", path], ["model", "check", path],
        ] {
            let outcome = try await folder.run(command)
            #expect(outcome.status == 65)
            #expect(outcome.stdout == "")
            #expect(
                outcome.stderr.replacing("\(folder.url.path)/", with: "")
                    == "tidemark: \(given.message)\n"
            )
        }
        #expect(!folder.has("s.db"))
    }

    @Test(arguments: ["none.yml", "none.json", "None.xcdatamodel", "None.xcdatamodeld"])
    func `a missing model is an error`(_ path: String) async throws {
        let folder = try Sample.folder()
        for command in [
            ["insert", "User", "--store", "s.db", "--model", path], ["model", "show", path],
            ["model", "check", path],
        ] {
            let outcome = try await folder.run(command)
            #expect(outcome.status == 66)
            #expect(outcome.stderr.hasPrefix("tidemark: There is no model at "))
            #expect(outcome.stderr.contains(path))
        }
        #expect(!folder.has("s.db"))
    }

    @Test(arguments: ["/dev/null", "pipe", "things"])
    func `a symbolic link to anything but a regular file is not read`(
        _ target: String
    ) async throws {
        let folder = try Sample.folder()
        try folder.write("", to: "things/in it")
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        for name in ["m.yml", "tidemark.yml"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name),
                withDestinationPath: target
            )
        }
        for (command, name) in [
            (["model", "check", "m.yml"], "m.yml"), (["pull"], "tidemark.yml"),
        ] {
            let outcome = try await folder.run(command)
            #expect(outcome.status == 65)
            #expect(outcome.stderr == "tidemark: \(name) is not a regular file.\n")
        }
    }

    @Test(arguments: [(0, "the file is empty."), (1, "is larger than 1 MiB.")])
    func `the size limit applies to the target of a symbolic link`(
        _ rest: Int,
        _ message: String
    ) async throws {
        let folder = try Folder()
        let blanks = String(repeating: " ", count: 1 << 20)
        try folder.write(blanks + (rest > 0 ? " " : ""), to: "far/away.yml")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("tidemark.yml"),
            withDestinationPath: "far/away.yml"
        )
        let outcome = try await folder.run("pull")
        #expect(outcome.status == 65)
        #expect(outcome.stderr.hasSuffix(" \(message)\n"), "\(outcome)")
    }

    @Test func `an inconsistent model is reported with the element and creates no store`()
        async throws
    {
        let folder = try Sample.folder()
        try folder.write(
            """
            entities:
              User:
                attributes: {id: integer64}
                relationships: {cat: {to: Cat}}
            """,
            to: "m.yml"
        )
        let message = """
            User.cat: Its destination “Cat” is not an entity of the model. \
            Declare the entity, or correct the name.
            """
        let check = try await folder.run("model", "check", "m.yml")
        #expect(check.status == 65)
        #expect(check.stdout == message + "\n")
        #expect(check.stderr == "tidemark: m.yml has 1 error.\n")

        let json = try await folder.run("model", "check", "m.yml", "--format", "json")
        #expect(json.status == 65)
        #expect(
            try json.json() == [
                [
                    "path": "User.cat", "severity": "error",
                    "message": "Its destination “Cat” is not an entity of the model.",
                    "hint": "Declare the entity, or correct the name.",
                ]
            ]
        )
        let created = try await folder.run("insert", "User", "--store", "s.db", "--model", "m.yml")
        #expect(created.status == 65)
        #expect(created.stderr == "tidemark: \(message)\n")
        #expect(!folder.has("s.db"))
    }

    @Test func `the issue of a Core Data model without a primary key names the userInfo key`()
        async throws
    {
        let folder = try Folder()
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Film" representedClassName="Film" syncable="YES">
            <attribute name="episodeId" attributeType="Integer 16"/></entity></model>
            """,
            to: "M.xcdatamodeld/M.xcdatamodel/contents"
        )
        let check = try await folder.done("model", "check", "M.xcdatamodeld")
        #expect(
            check.stdout == """
                Film: It has no primary key, so its objects cannot be imported or pulled as a list of \
                their own, only as the children of a row. Declare one: primaryKey in a model in YAML, \
                userInfo tidemark.primaryKey in a Core Data model.

                """
        )
    }

    @Test func `a valid model has no issues`() async throws {
        let folder = try Sample.folder()
        let check = try await folder.done("model", "check", "model.yml")
        #expect(check.stdout == "No problems found.\n")
        #expect(check.stderr == "")
    }
}
