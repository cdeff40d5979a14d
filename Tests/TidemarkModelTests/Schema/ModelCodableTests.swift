import Foundation
import Testing

@testable import TidemarkModel

struct ModelCodableTests {
    private func decode(_ json: String) throws -> Model {
        try Model.decoding { try JSONDecoder().decode(Model.self, from: Data(json.utf8)) }
    }

    private static func relationship(_ field: String) -> String {
        "{\"entities\": {\"User\": {\"relationships\": {\"n\": {\"to\": \"A\", \(field)}}}}}"
    }

    private func attribute(_ body: String) throws -> Attribute {
        let model = try decode("{\"entities\": {\"E\": {\"attributes\": {\"a\": \(body)}}}}")
        return try #require(model.entities.first?.attributes.first)
    }

    @Test(arguments: [
        ("[]", "the model"), ("{}", "no entities"), ("{\"entities\": null}", "no entities"),
        ("{\"entities\": []}", "entities"), ("{\"entity\": {}}", "“entity”"),
        ("{\"entities\": {\"User\": 1}}", "entities.User"),
        (
            "{\"entities\": {\"User\": {\"fields\": {}}}}",
            "entities.User: an entity has no key “fields”"
        ),
        ("{\"entities\": {\"User\": {\"abstract\": \"so\"}}}", "entities.User.abstract"),
        ("{\"entities\": {\"User\": {\"identity\": \"own\"}}}", "entities.User.identity"),
        ("{\"entities\": {\"User\": {\"primaryKey\": 1}}}", "entities.User.primaryKey"),
        ("{\"entities\": {\"User\": {\"unique\": \"name\"}}}", "entities.User.unique"),
        (
            "{\"entities\": {\"User\": {\"indexes\": [{\"by\": \"name\"}]}}}",
            "entities.User.indexes[0]"
        ),
        (
            "{\"entities\": {\"User\": {\"relationships\": {\"notes\": \"Note\"}}}}",
            "entities.User.relationships.notes"
        ),
        ("{\"entities\": {\"User\": {\"relationships\": {\"notes\": {}}}}}", "leads nowhere"),
        (
            relationship("\"many\": true"),
            "“many”"
        ),
        (
            relationship("\"min\": 1.5"),
            "entities.User.relationships.n.min"
        ),
        (
            relationship("\"deleteRule\": \"x\""),
            "deleteRule cannot be “x”"
        ),
        ("{\"entities\": {\"User\": {\"userInfo\": {\"a\": 1}}}}", "entities.User.userInfo"),
    ])
    func `reports the path of what it cannot read`(json: String, message: String) {
        let error = #expect(throws: ModelError.self) { try decode(json) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("\"int\"", "entities.E.attributes.a cannot be “int”"), ("null", "says nothing"),
        ("12", "attributes.a is not"), ("[]", "attributes.a"), ("{}", "has no type"),
        ("{\"type\": \"text\"}", "a.type cannot be “text”"),
        ("{\"type\": \"string\", \"remotekey\": \"x\"}", "“remotekey”"),
        ("{\"type\": \"string\", \"remoteKey\": \"\"}", "a.remoteKey is empty"),
        ("{\"type\": \"string\", \"nullValues\": 3}", "a.nullValues"),
        ("{\"type\": \"binary\", \"encoding\": \"hex\"}", "a.encoding"),
        (
            "{\"type\": \"integer16\", \"default\": 40000}",
            "a.default is not a valid integer16: “40000”"
        ),
        ("{\"type\": \"integer64\", \"default\": 1.5}", "a.default"),
        ("{\"type\": \"boolean\", \"default\": \"maybe\"}", "a.default"),
        ("{\"type\": \"date\", \"default\": \"2016-02-30\"}", "a.default"),
        ("{\"type\": \"date\", \"default\": \"yesterday\"}", "a.default"),
        ("{\"type\": \"uuid\", \"default\": \"1\"}", "a.default"),
        ("{\"type\": \"json\", \"default\": \"{\"}", "a.default"),
        ("{\"type\": \"transformable\", \"default\": 1}", "a.default"),
        ("{\"type\": \"string\", \"default\": []}", "a.default"),
    ])
    func `reports what is wrong with an attribute`(body: String, message: String) {
        let error = #expect(throws: ModelError.self) { try attribute(body) }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `hints list the allowed keys and types`() {
        let key = #expect(throws: ModelError.self) {
            try attribute("{\"type\": \"string\", \"x\": 1}")
        }
        #expect(key?.hint?.contains("remoteKey, nonExportable") == true)
        let type = #expect(throws: ModelError.self) { try attribute("\"int\"") }
        #expect(type?.hint?.contains("integer16, integer32, integer64, decimal") == true)
    }

    @Test func `malformed JSON is an unreadable model`() {
        let error = #expect(throws: ModelError.self) { try decode("{\"entities\":") }
        #expect(error?.code == .unreadable)
        struct Cause: Error {}
        let other = #expect(throws: ModelError.self) { try Model.decoding { throw Cause() } }
        #expect(other?.code == .unreadable)
    }

    @Test(arguments: [
        ("integer64", "12", Value.integer(12)), ("integer64", "\"12\"", .integer(12)),
        ("decimal", "\"12.20\"", .decimal("12.2")), ("decimal", "0.1", .decimal("0.1")),
        ("decimal", "12345678901234567890.5", .decimal("12345678901234567890.5")),
        ("decimal", "\"-1e-3\"", .decimal("-0.001")), ("decimal", "\"1.5e3\"", .decimal("1500")),
        ("double", "1e300", .double(1e300)), ("double", "0.1", .double(0.1)),
        ("float", "0.1", .double(Double(Float(0.1)))), ("boolean", "true", .boolean(true)),
        ("boolean", "\"no\"", .boolean(false)), ("string", "\"a\"", .string("a")),
        ("string", "12", .string("12")), ("string", "\"\"", .string("")),
        ("date", "\"1970-01-02\"", .date(86_400)),
        ("date", "\"1969-12-31T23:59:59.5Z\"", .date(-0.5)),
        ("date", "\"2016-05-17T12:20:30+02:00\"", .date(1_463_480_430)),
        ("date", "\"2000-02-29 00:00:00\"", .date(951_782_400)), ("date", "0.1", .date(0.1)),
        ("binary", "\"AAE=\"", .binary([0, 1])),
        ("uri", "\"https://x.test/\"", .uri("https://x.test/")),
        ("json", "\"{\\\"a\\\":[]}\"", .json("{\"a\":[]}")),
    ])
    func `reads a default value by the attribute's type, and writes it`(
        type: String,
        text: String,
        value: Value
    ) throws {
        let attribute = try attribute("{\"type\": \"\(type)\", \"default\": \(text)}")
        #expect(attribute.defaultValue == value)
        let model = Model(entities: [EntityDescription("E", attributes: [attribute])])
        #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model)
    }

    @Test func `reads every type in its short and its long form`() throws {
        for type in AttributeType.allCases {
            #expect(try attribute("\"\(type.rawValue)\"") == Attribute("a", type))
            #expect(try attribute("{\"type\": \"\(type.rawValue)\"}") == Attribute("a", type))
        }
    }

    @Test func `an entity without a body is empty`() throws {
        #expect(
            try decode("{\"entities\": {\"Note\": null}}")
                == Model(entities: [EntityDescription("Note")])
        )
    }

    @Test func `keeps the order of entities and properties`() throws {
        let model = Model(entities: [
            EntityDescription(
                "B",
                attributes: [Attribute("z", .string), Attribute("a", .string)],
                relationships: [Relationship("y", to: "A"), Relationship("b", to: "B")]
            ),
            EntityDescription(
                "A",
                relationships: [Relationship("b", to: "B"), Relationship("a", to: "A")]
            ),
            EntityDescription("C"),
        ])
        for _ in 0..<5 {
            let data = try JSONEncoder().encode(model)
            #expect(try JSONDecoder().decode(Model.self, from: data) == model)
        }
        let sorted = try decode(
            "{\"entities\": {\"B\": {}, \"C\": {}, \"A\": {}}, \"order\": [\"C\"]}"
        )
        #expect(sorted.entities.map(\.name) == ["C", "A", "B"])
    }

    @Test func `omits default values`() throws {
        let model = Model(entities: [
            EntityDescription("E", attributes: [Attribute("id", .integer64)])
        ])
        let text = String(decoding: try JSONEncoder().encode(model), as: UTF8.self)
        #expect(text == "{\"entities\":{\"E\":{\"attributes\":{\"id\":\"integer64\"}}}}")
        #expect(
            String(decoding: try JSONEncoder().encode(Model()), as: UTF8.self)
                == "{\"entities\":{}}"
        )
    }

    @Test func `every property of a model round-trips`() throws {
        let model = Model(entities: [
            EntityDescription(
                "E",
                parent: "P",
                isAbstract: true,
                primaryKey: ["a", "b"],
                attributes: [
                    Attribute(
                        "a",
                        .string,
                        isOptional: false,
                        isTransient: true,
                        defaultValue: .string("x"),
                        validation: .init(minimum: 0.1, maximum: 1e300, pattern: "a+"),
                        remoteKey: "a.b",
                        isExportable: false,
                        valueTransformer: "T",
                        dateFormat: "seconds",
                        encoding: .base64,
                        nullValues: ["", "n/a"],
                        isAsset: true,
                        renamingIdentifier: "old",
                        userInfo: ["k": "v"]
                    )
                ],
                relationships: [
                    Relationship(
                        "r",
                        to: "E",
                        isToMany: true,
                        isOrdered: true,
                        isOptional: false,
                        inverse: "r",
                        deleteRule: .deny,
                        minimumCount: 1,
                        maximumCount: 2,
                        remoteKey: "x",
                        referenceKeys: ["p", "q"],
                        nullValues: ["0"],
                        isExportable: false,
                        renamingIdentifier: "s",
                        userInfo: ["k": "v"]
                    )
                ],
                uniquenessConstraints: [["a"], ["a", "r"]],
                fetchIndexes: [FetchIndex("i", elements: [.init("a", isAscending: false)])],
                discriminator: "kind",
                identity: .separate,
                ignoredKeys: ["x", "y.z"],
                renamingIdentifier: "F",
                userInfo: ["tidemark.path": "es"]
            )
        ])
        #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model)
    }
}
