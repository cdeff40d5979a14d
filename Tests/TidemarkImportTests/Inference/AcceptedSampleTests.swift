import Foundation
import Testing
import TidemarkImport
import TidemarkInference
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// An inferred model accepts the samples it was inferred from.
struct AcceptedSampleTests {
    @Test(.enabled(if: SharedData.isAvailable))
    func `the model inferred from SWAPI has all keys, relationships and inverses`() throws {
        let kinds = ["films", "people", "planets", "species", "starships", "vehicles"]
        let inferring = try Inferring(
            kinds.map {
                Inferring.Sample(source: "\($0).all.json", text: try SharedData.all($0))
            }
        )
        #expect(try inferring.diagnostics() == [])
        #expect(inferring.model.findings().isEmpty)
        #expect(inferring.inferred.notes.filter(\.needsReview).isEmpty)
        let entities = inferring.model.entities.map { entity in
            let relationships = entity.relationships.map { relationship in
                "\(relationship.name) \(relationship.isToMany ? "→→" : "→") "
                    + "\(relationship.destination) ⇄ \(relationship.inverse ?? "nothing")"
            }
            let key = entity.attributes.first { $0.name == "id" }?.json.remoteKey
            return "\(entity.name) \(key ?? "") \(relationships.joined(separator: ", "))"
        }
        expect(
            entities.joined(separator: "\n"),
            is: """
                Film url characters →→ Person ⇄ films, planets →→ Planet ⇄ films, \
                starships →→ Starship ⇄ films, vehicles →→ Vehicle ⇄ films, \
                species →→ Species ⇄ films
                Person url homeworld → Planet ⇄ residents, films →→ Film ⇄ characters, \
                species →→ Species ⇄ people, vehicles →→ Vehicle ⇄ pilots, \
                starships →→ Starship ⇄ pilots
                Planet url residents →→ Person ⇄ homeworld, films →→ Film ⇄ planets, \
                species →→ Species ⇄ homeworld
                Species url homeworld → Planet ⇄ species, people →→ Person ⇄ species, \
                films →→ Film ⇄ species
                Starship url pilots →→ Person ⇄ starships, films →→ Film ⇄ starships
                Vehicle url pilots →→ Person ⇄ vehicles, films →→ Film ⇄ vehicles
                """
        )
    }

    @Test(arguments: ConformanceSamples.files)
    func `every sample of the conformance suites is accepted`(file: String) throws {
        try check(ConformanceSamples.file(file))
    }

    @Test(arguments: ConformanceSamples.cases)
    func `the samples that each conformance case imports are accepted`(name: String) throws {
        try check(ConformanceSamples.ofCase(name))
    }

    @Test(arguments: UInt64(1)...50)
    func `random samples are accepted`(seed: UInt64) throws {
        var random = RandomSample(seed: seed)
        try check(
            ["users", "tags", "things"].map {
                Inferring.Sample(source: "\($0).json", text: random.list())
            },
            allowsWarnings: true
        )
    }

    /// Diagnostics that are correct for any model, because the samples themselves cause them.
    private static let expectedDiagnostics = [
        "The object has no usable primary key.", "The document has several objects with this key.",
        "The object names another parent than the one whose list it is in",
    ]

    private func check(_ samples: [Inferring.Sample], allowsWarnings: Bool = false) throws {
        guard !samples.isEmpty else { return }
        let inferring: Inferring
        do {
            inferring = try Inferring(samples)
        } catch let error as ModelError {
            #expect(error.message == "The lists are empty, so nothing can be inferred.")
            return
        }
        let findings = inferring.model.findings().filter { finding in
            !allowsWarnings || finding.severity == .error
        }
        #expect(findings.map(\.description).filter { !inferring.isKeyless($0) } == [])
        let diagnostics = try inferring.diagnostics().filter { diagnostic in
            !Self.expectedDiagnostics.contains(where: diagnostic.contains)
        }
        #expect(diagnostics == [], "\(samples.map(\.text))")
    }
}
