import ArgumentParser
import Foundation
import TidemarkHTTPClient
import TidemarkModel
import TidemarkRemote
import TidemarkSync
import TidemarkYAML

extension ModelVerb {
    /// The verb `tidemark model infer`.
    struct Infer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "infer",
            abstract: "Print a model that fits sample JSON.",
            discussion: """
                Several samples make one model, with the relationships between them. Of a service, the \
                first pages of its lists will do. Guesses are reported on standard error, and are \
                comments in the YAML.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "Samples: files, addresses, - for standard input.",
                valueName: "file|url"
            )
        )
        var samples: [String]

        @Option(
            help: ArgumentHelp(
                "What the objects are called; else the names of the samples tell.",
                valueName: "entity"
            )
        )
        var name: String?

        @Option(
            help: ArgumentHelp("Where the objects are in the samples.", valueName: "key.path")
        )
        var root: String?

        @OptionGroup var headers: HeaderOptions

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let name { try Self.check(entity: name, "--name") }
        }

        /// Checks that a model can have an entity with this name.
        static func check(entity name: String, _ option: String) throws {
            let findings = Model(entities: [EntityDescription(name)]).findings()
            if let finding = findings.first(where: { $0.severity == .error }) {
                throw ValidationError("\(option): \(finding.message)")
            }
        }

        func run() async throws {
            let limits = Limits()
            var inference = ModelInference(limits: limits)
            var found: [(sample: String, list: SampledList)] = []
            for sample in samples {
                let lists =
                    PullAddress.isOne(sample)
                    ? try await add(sample, to: &inference, limits)
                    : try addFile(sample, to: &inference, limits)
                found += lists.map { (Self.shown(sample), $0) }
            }
            let inferred = try Self.naming("The samples") { try inference.result() }
            try inferred.model.validate()
            switch output.format {
            case .json: try printJSON(inferred.model)
            case .text: try Console.raw(ModelYAML(inferred, found).text())
            }
            tell(inferred, found)
        }

        // MARK: Samples

        private func addFile(
            _ path: String,
            to inference: inout ModelInference,
            _ limits: Limits
        ) throws -> [SampledList] {
            let file = try DocumentFile(path, ProgressBar(output), limits: limits)
            let source = path == "-" ? "" : path
            return try Self.naming(Self.shown(path)) {
                if let root {
                    return try file.withItems(root: root) { items in
                        [try inference.add(&items, from: source, entity: name, root: root)]
                    }
                }
                return try file.withSample(
                    list: { [try inference.add(&$0, from: source, entity: name)] },
                    document: { try inference.add($0, from: source, entity: name) }
                )
            }
        }

        private func add(
            _ address: String,
            to inference: inout ModelInference,
            _ limits: Limits
        ) async throws -> [SampledList] {
            guard let given = try PullAddress(address)?.with(headers.fields()) else {
                throw PullAddress.invalid
            }
            try ProcessLimits.expectEnough(concurrency: limits.concurrency)
            let service = given.service(at: given.url)
            let page = try await AsyncHTTPClientTransport.run(limits: limits) { transport in
                let remote = Remote(
                    service,
                    over: transport,
                    environment: .live,
                    limits: limits
                )
                let resource = service.resource(name ?? "", path: "")
                return try await remote.page(
                    PageRequest(resuming: resource, at: service.url, number: 1)
                )
            }
            let source = service.url.absoluteString
            return try Self.naming(service.url.shown) {
                guard let root else {
                    return try inference.add(page.document, from: source, entity: name)
                }
                var items = try page.document.items(at: root)
                return [try inference.add(&items, from: source, entity: name, root: root)]
            }
        }

        /// Returns the name of a sample for messages, without the secrets of a URL.
        private static func shown(_ sample: String) -> String {
            guard PullAddress.isOne(sample) else {
                return sample == "-" ? "Standard input" : sample
            }
            return URL(string: sample)?.shown ?? "an address"
        }

        private static func naming<Result>(
            _ sample: String,
            _ body: () throws -> Result
        ) throws -> Result {
            do {
                return try body()
            } catch let error as ModelError {
                throw Failure(.data, "\(sample): \(error.description)")
            } catch let error as JSONItemsError {
                throw Failure(.data, "\(sample): \(error).")
            }
        }

        // MARK: Results

        private func printJSON(_ model: Model) throws {
            try Console.json(model)
        }

        private func tell(_ inferred: InferredModel, _ found: [(sample: String, list: SampledList)])
        {
            guard !output.quiet else { return }
            for (sample, list) in found where list.count == 0 {
                Console.note(
                    "\(sample): The list of \(list.entity) is empty, so nothing was inferred from it."
                )
            }
            for note in inferred.notes where note.isDoubtful { Console.note(note.description) }
        }
    }
}
