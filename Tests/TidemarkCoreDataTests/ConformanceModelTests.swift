import Foundation
import Testing
import TidemarkCoreData
import TidemarkInference
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkCoreData

/// The models of the conformance suites, read in place.
@Suite(.enabled(if: ConformanceData.isPresent, "the conformance data is not next to the package"))
struct ConformanceModelTests {
    @Test func `finds all models of the suites`() {
        #expect(ConformanceData.models.count == 72)
    }

    @Test(arguments: ConformanceData.models)
    func `every model is read, is valid, and round-trips through JSON`(path: String) throws {
        let model = try ModelBundle.model(at: ConformanceData.path(path))
        #expect(!model.entities.isEmpty)
        try model.validate()
        let text = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(Model.self, from: text) == model)
        for entity in model.entities {
            #expect(model.tree(of: entity.name)?.members.contains(entity.name) == true)
        }
        let description = ModelSummary(model)
        #expect(description.entities.count == model.entities.count)
    }

    private struct Case: Decodable {
        struct Step: Decodable {
            var op: String
            var entity: String?
            var local: String?
            var type: String?
            var property: String?
            var key: String?
            var attribute: String?
            var inflection: String?
            var equals: Text?
        }
        /// A string, or nil for any other JSON value.
        struct Text: Decodable {
            var text: String?
            init(from decoder: any Decoder) throws {
                do {
                    text = try decoder.singleValueContainer().decode(String.self)
                } catch is DecodingError {
                    text = nil
                }
            }
        }
        var model: String
        var steps: [Step]
    }

    @Test(arguments: [
        ("AttributeDescriptionForKeyC", 3), ("AttributeDescriptionForKeyCompatibility", 2),
        ("LocalPrimaryKey", 7), ("PrimaryKeyAttribute", 6), ("OldCustomKey", 1),
        ("RemoteKeyForAttributeDescriptionA", 2), ("RemoteKeyForAttributeDescriptionD", 4),
    ])
    func `names agree with the conformance cases`(name: String, count: Int) throws {
        let given = try ConformanceData.json("sync/cases/\(name).json", as: Case.self)
        let model = try ModelBundle.model(at: ConformanceData.path("sync/models/\(given.model)"))
        let description = ModelSummary(model)
        var checked = 0
        for step in given.steps {
            let facts = try #require(description.entities[step.entity ?? ""])
            let expected = step.equals?.text
            switch step.op {
            case "primary_key":
                if step.type == nil || step.local != nil {
                    #expect(facts.primaryKey.first?.local == step.local)
                }
                let type = step.type?.lowercased().filter { $0 != " " }
                if type != nil { #expect(facts.primaryKey.first?.type.rawValue == type) }
            case "custom_key":
                #expect(facts.attributes[step.property ?? ""]?.remoteKeys.first == expected)
            case "attribute_for_key":
                let entity = try #require(model[step.entity ?? ""])
                let mapping = EntityMapping(entity: entity, in: model)
                let index = mapping.target(for: step.key ?? "")?.attribute
                #expect(index.map { mapping.attributes[$0].name } == expected)
            case "remote_key":
                let keys = facts.attributes[step.attribute ?? ""]?.exportKeys
                #expect((step.inflection == "camel" ? keys?.camel : keys?.snake) == expected)
            default: continue
            }
            checked += 1
        }
        #expect(checked == count)
    }

    @Test func `a marker with the default entry is the same as one without a value`() throws {
        let model = try ModelBundle.model(at: ConformanceData.path("sync/models/137.xcdatamodeld"))
        #expect(model["InflectionCompany"]?.relationships.map(\.json.isExportable) == [false])
        #expect(model["InflectionCompany"]?.relationships.map(\.userInfo) == [[:]])
    }
}
