import Testing
import TidemarkTestSupport

@testable import TidemarkModel

/// The names that Rails-style services use, from the conformance data.
@Suite(.enabled(if: ConformanceData.isPresent, "the conformance data is not next to the package"))
struct NamingCasesTests {
    private struct Cases: Decodable {
        struct Entity: Decodable {
            var entity: String
            var collectionPath: String
            var rootKey: String
        }
        struct Inbound: Decodable {
            var provider: String
            var matchesLocalIfModelHas: [String]
        }
        struct Outbound: Decodable {
            var local: String
            var provider: String
        }
        struct Reference: Decodable {
            var provider: String
            var relationshipCandidate: [String]?
        }
        struct ReferenceOut: Decodable {
            var relationship: String
            var toMany: Bool
            var provider: String
        }
        var entities: [Entity]
        var attributesInbound: [Inbound]
        var attributesOutbound: [Outbound]
        var foreignkeysInbound: [Reference]
        var foreignkeysOutbound: [ReferenceOut]

        private enum CodingKeys: String, CodingKey {
            case entities
            case attributesInbound = "attributes_inbound"
            case attributesOutbound = "attributes_outbound"
            case foreignkeysInbound = "foreignkeys_inbound"
            case foreignkeysOutbound = "foreignkeys_outbound"
        }
    }

    private let cases: Cases
    private let naming = NamingConvention.default

    init() throws {
        cases = try ConformanceData.json("converge/naming-cases.json")
    }

    private func mapping(
        attributes: [String] = [],
        relationships: [(String, Bool)] = []
    ) -> EntityMapping {
        let item = EntityDescription(
            "Item",
            attributes: attributes.map { Attribute($0, .string) },
            relationships: relationships.map { Relationship($0.0, to: "Other", isToMany: $0.1) }
        )
        let other = EntityDescription("Other", attributes: [Attribute("id", .integer64)])
        return EntityMapping(entity: item, in: Model(entities: [item, other]))
    }

    @Test func `names collections and root keys`() {
        #expect(cases.entities.count > 40)
        for row in cases.entities {
            #expect("/\(naming.collectionName(of: row.entity))" == row.collectionPath)
            #expect(naming.snakeCase(row.entity) == row.rootKey)
        }
    }

    @Test func `finds the attribute of a JSON key`() {
        #expect(cases.attributesInbound.count > 10)
        for row in cases.attributesInbound {
            for local in row.matchesLocalIfModelHas {
                let target = mapping(attributes: [local]).target(for: row.provider)
                #expect(target?.attribute == 0, "\(row.provider) to \(local)")
            }
        }
        #expect(mapping(attributes: ["bodytext"]).target(for: "bodyText") == nil)
    }

    @Test func `exports attributes in snake case`() {
        #expect(cases.attributesOutbound.count > 5)
        for row in cases.attributesOutbound {
            #expect(mapping(attributes: [row.local]).attributes[0].exportKeys.snake == row.provider)
        }
    }

    @Test func `finds the relationship of a reference`() {
        #expect(cases.foreignkeysInbound.count > 10)
        for row in cases.foreignkeysInbound {
            for name in row.relationshipCandidate ?? [] {
                let target = mapping(relationships: [
                    (name, row.provider.lowercased().hasSuffix("s"))
                ])
                .target(for: row.provider)
                #expect(target?.relationship == 0, "\(row.provider) to \(name)")
                #expect(target?.keyPart == 0, "\(row.provider) to \(name)")
            }
            if row.relationshipCandidate == nil {
                let mapping = mapping(relationships: [("pa", false), ("p", false), ("i", true)])
                #expect(mapping.target(for: row.provider) == nil)
            }
        }
    }

    @Test func `exports references in the singular`() {
        #expect(cases.foreignkeysOutbound.count > 3)
        for row in cases.foreignkeysOutbound {
            let mapping = mapping(relationships: [(row.relationship, row.toMany)])
            #expect(mapping.relationships[0].referenceExportKeys.map(\.snake) == [row.provider])
        }
    }
}
