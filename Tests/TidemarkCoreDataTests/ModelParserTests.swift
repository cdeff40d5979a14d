import Foundation
import Testing
import TidemarkCoreData
import TidemarkModel

@testable import TidemarkCoreData

struct ModelParserTests {
    private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    private func model(_ body: String) throws -> Model {
        try ModelParser.model(from: Data((Self.head + body).utf8), named: "contents")
    }

    private func entity(_ body: String, _ fields: String = "") throws -> EntityDescription {
        let model = try model("<model><entity name=\"User\" \(fields)>\(body)</entity></model>")
        return try #require(model.entities.first)
    }

    @Test(arguments: [
        "", "{}", "<model>", "<model><entity name=\"A\"></model>", "<model/><model/>",
        "<model><entity name=\"A\" name=\"B\"/></model>", "<plist/>", "<model>&nope;</model>",
        "<model>\u{1}</model>",
    ])
    func `rejects a document that is not a model`(body: String) {
        let error = #expect(throws: ModelError.self) { try model(body) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("contents") == true)
    }

    @Test func `reports the line and column of malformed XML`() {
        let error = #expect(throws: ModelError.self) {
            try model("<model>\n  <entity name=\"A\">\n  </wrong>\n</model>")
        }
        #expect(error?.message.contains("line 4, column ") == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        "<!DOCTYPE model [<!ENTITY a \"aaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><model>&b;</model>",
        "<!DOCTYPE model SYSTEM \"file:///etc/passwd\"><model/>",
        "<!DOCTYPE model [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><model>&x;</model>",
    ])
    func `rejects document types and the entities in them`(body: String) {
        let error = #expect(throws: ModelError.self) { try model(body) }
        #expect(error?.message.contains("document type") == true)
    }

    @Test(arguments: [
        "<model><?a?></model>", "<?xml?><model/>", "<model/><?a b?>", "<?a?>", "\u{FEFF}<?xml?>",
        "<?xml version='1.0'?><?xml?><model/>",
    ])
    func `rejects processing instructions, which crash some parsers`(text: String) {
        let error = #expect(throws: ModelError.self) {
            try ModelParser.model(from: Data(text.utf8), named: "contents")
        }
        #expect(error?.message.contains("processing instruction") == true)
    }

    @Test func `rejects other encodings, which could hide a document type`() throws {
        let utf16 = try #require("<?xml version=\"1.0\"?><model/>".data(using: .utf16))
        for data in [
            utf16, Data("<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>".utf8),
            Data("<?xml version='1.0' encoding='EBCDIC-US'?><model/>".utf8),
            Data([0xFF, 0xFE, 0x3C]),
        ] {
            let error = #expect(throws: ModelError.self) {
                try ModelParser.model(from: data, named: "contents")
            }
            #expect(error?.code == .unreadable)
        }
    }

    @Test(arguments: [
        ("Integer 16", "0.0", Value.integer(0)), ("Integer 64", "-12.000", .integer(-12)),
        ("Integer 32", "1e3", .integer(1_000)), ("Boolean", "0.0", .boolean(false)),
        ("Boolean", "1.0", .boolean(true)), ("Double", "0.5", .double(0.5)),
    ])
    func `a default value has the form of the type that the attribute had before`(
        type: String,
        text: String,
        value: Value
    ) throws {
        let user = try entity(
            "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        )
        #expect(user.attributes.map(\.defaultValue) == [value])
    }

    @Test(arguments: [("Integer 16", "0.5"), ("Integer 16", "1e9"), ("Boolean", "2.0")])
    func `a default value that the type does not have is an error`(type: String, text: String) {
        #expect(throws: ModelError.self) {
            try entity(
                "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
            )
        }
    }

    @Test(arguments: [
        "transient=\"YES\"", "transient=\"YES\" attributeType=\"Undefined\"",
        "transient=\"YES\" attributeType=\"Undefined\" defaultValueString=\"x\"",
        "transient=\"YES\" attributeType=\"Transformable\"",
        "attributeType=\"String\" derived=\"YES\" derivationExpression=\"lower(name)\"",
        "attributeType=\"Date\" derivationExpression=\"now()\"",
    ])
    func `an attribute that no store has is read and not stored`(fields: String) throws {
        let user = try entity(
            "<attribute name=\"id\" attributeType=\"Integer 64\"/><attribute name=\"a\" \(fields)/>"
        )
        #expect(user.attributes.map(\.isTransient) == [false, true])
        try Model(entities: [user]).validate()
    }

    @Test func `rejects excessive nesting without a crash`() {
        let body = "<model>" + String(repeating: "<x>", count: 100_000)
        #expect(throws: ModelError.self) { try model(body) }
    }

    @Test(arguments: [
        ("<attribute name=\"a\"/>", "Undefined"),
        ("<attribute name=\"a\" attributeType=\"Undefined\"/>", "Undefined"),
        ("<attribute name=\"a\" attributeType=\"Object ID\"/>", "Object ID"),
        ("<attribute name=\"a\" attributeType=\"Composite\"/>", "composite"),
        ("<attribute name=\"a\" attributeType=\"Vector\"/>", "Vector"),
        ("<attribute name=\"a\" attributeType=\"json\"/>", "json"),
        ("<attribute attributeType=\"String\"/>", "name"),
        (
            "<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"70000\"/>",
            "70000"
        ),
        ("<attribute name=\"a\" attributeType=\"UUID\" defaultValueString=\"x\"/>", "uuid"),
        (
            "<attribute name=\"a\" attributeType=\"Integer 16\" minValueString=\"few\"/>",
            "minValueString"
        ),
        ("<relationship name=\"r\"/>", "leads to no entity"),
        ("<relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Perhaps\"/>", "perhaps"),
        (
            "<relationship name=\"r\" destinationEntity=\"A\" toMany=\"YES\" maxCount=\"x\"/>",
            "maxCount"
        ),
        ("<userInfo><entry key=\"tidemark.identity\" value=\"maybe\"/></userInfo>", "identity"),
        (
            "<attribute name=\"a\" attributeType=\"Binary\"><userInfo><entry key=\"sync.encoding\" "
                + "value=\"hex\"/></userInfo></attribute>", "encoding"
        ),
    ])
    func `reports what it cannot read, with its position and a hint`(body: String, word: String) {
        let error = #expect(throws: ModelError.self) { try entity(body) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(word) == true, "\(String(describing: error))")
        #expect(error?.message.contains("line 2, column ") == true)
        #expect(error?.hint != nil)
    }

    @Test func `reads every attribute type`() throws {
        let types: KeyValuePairs<String, AttributeType> = [
            "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
            "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string,
            "Boolean": .boolean, "Date": .date, "Binary": .binary, "Binary Data": .binary,
            "UUID": .uuid, "URI": .uri, "Transformable": .transformable, "Integer64": .integer64,
        ]
        for (text, type) in types {
            let entity = try entity("<attribute name=\"a\" attributeType=\"\(text)\"/>")
            #expect(entity.attributes == [Attribute("a", type, isOptional: false)])
        }
    }

    @Test(arguments: [
        ("Integer 64", "defaultValueString=\"0\"", Value.integer(0)),
        ("Decimal", "defaultValueString=\"0.0\"", .decimal("0")),
        ("Decimal", "defaultValueString=\"12.20\"", .decimal("12.2")),
        ("Float", "defaultValueString=\"0.1\"", .double(Double(Float(0.1)))),
        ("Boolean", "defaultValueString=\"YES\"", .boolean(true)),
        ("Boolean", "defaultValueString=\"NO\"", .boolean(false)),
        ("String", "defaultValueString=\"\"", .string("")),
        ("Date", "defaultDateTimeInterval=\"0\"", .date(978_307_200)),
        (
            "UUID", "defaultValueString=\"e621e1f8-c36c-495a-93fc-0c247a3e6e5f\"",
            .uuid("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        ),
        ("URI", "defaultValueString=\"https://x.test\"", .uri("https://x.test")),
        ("Double", "defaultValueString=\"\"", nil),
    ])
    func `converts a default value to the type`(type: String, field: String, value: Value?) throws {
        let entity = try entity("<attribute name=\"a\" attributeType=\"\(type)\" \(field)/>")
        #expect(entity.attributes.map(\.defaultValue) == [value])
    }

    @Test func `uses the newest prefix of an annotation, and keeps unknown entries`() throws {
        let entity = try entity(
            """
            <attribute name="code" attributeType="String"><userInfo>
              <entry key="hyper.remoteKey" value="c"/><entry key="sync.remoteKey" value="b"/>
              <entry key="tidemark.remoteKey" value="a"/><entry key="isPrimaryKey" value="YES"/>
              <entry key="note" value="ours"/><entry key="sync.nonExportable" value="false"/>
            </userInfo></attribute>
            <attribute name="born" attributeType="Date"><userInfo>
              <entry key="sync.dateFormat" value="seconds"/><entry key="dateFormat" value="kept"/>
              <entry key="tidemark.nullValues" value="unknown, n/a"/>
              <entry key="nonExportable" value="perhaps"/>
            </userInfo></attribute>
            <userInfo><entry key="tidemark.path" value="people"/>
              <entry key="tidemark.discriminator" value="kind"/>
              <entry key="tidemark.ignore" value="etag, links.self"/></userInfo>
            <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person"><userInfo>
              <entry key="tidemark.nullValues" value="0"/></userInfo></relationship>
            """
        )
        #expect(entity.json.ignoredKeys == ["etag", "links.self"])
        #expect(entity.relationships.map(\.json.nullValues) == [["0"]])
        #expect(entity.primaryKey == ["code"])
        #expect(entity.json.discriminator == "kind")
        #expect(entity.userInfo == ["tidemark.path": "people"])
        #expect(
            entity.attributes == [
                Attribute(
                    "code",
                    .string,
                    isOptional: false,
                    remoteKey: "a",
                    userInfo: ["note": "ours"]
                ),
                Attribute(
                    "born",
                    .date,
                    isOptional: false,
                    dateFormat: "seconds",
                    nullValues: ["unknown", "n/a"],
                    userInfo: ["dateFormat": "kept", "tidemark.nonExportable": "perhaps"]
                ),
            ]
        )
    }

    @Test(arguments: [
        ("YES", false), ("true", false), ("1", false), ("", false), ("value", false), ("NO", true),
        ("false", true), ("0", true),
    ])
    func `excludes annotated properties from exports`(value: String, isExportable: Bool) throws {
        let entry = "<userInfo><entry key=\"sync.nonExportable\" value=\"\(value)\"/></userInfo>"
        let entity = try entity(
            "<attribute name=\"a\" attributeType=\"String\">\(entry)</attribute>"
                + "<relationship name=\"r\" destinationEntity=\"User\">\(entry)</relationship>"
        )
        #expect(entity.attributes.map(\.json.isExportable) == [isExportable])
        #expect(entity.relationships.map(\.json.isExportable) == [isExportable])
        #expect(entity.attributes.map(\.userInfo) == [[:]])
    }

    @Test(arguments: [("YES", true), ("", true), ("NO", false), ("0", false)])
    func `an attribute may be annotated as the address of a file`(
        value: String,
        isAsset: Bool
    )
        throws
    {
        let entity = try entity(
            "<attribute name=\"a\" attributeType=\"URI\"><userInfo>"
                + "<entry key=\"tidemark.asset\" value=\"\(value)\"/></userInfo></attribute>"
        )
        #expect(entity.attributes.map(\.json.isAsset) == [isAsset])
        #expect(entity.attributes.map(\.userInfo) == [[:]])
    }

    @Test func `the list of keys of an entity takes precedence over flagged attributes`() throws {
        let flag = "<userInfo><entry key=\"sync.isPrimaryKey\" value=\"true\"/></userInfo>"
        let attributes = ["a", "b", "c"].map {
            "<attribute name=\"\($0)\" attributeType=\"String\">"
                + ($0 == "b" ? "" : flag) + "</attribute>"
        }
        .joined()
        #expect(try entity(attributes).primaryKey == ["a", "c"])
        let list = "<userInfo><entry key=\"tidemark.primaryKey\" value=\"c, b\"/></userInfo>"
        #expect(try entity(list + attributes).primaryKey == ["c", "b"])
        #expect(try entity(attributes + list).primaryKey == ["c", "b"])
    }
}
