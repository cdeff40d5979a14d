import ArgumentParser
import Foundation
import TidemarkHTTPClient
import TidemarkInference
import TidemarkJSON
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
                One model is inferred from all samples, with the relationships between them. The first \
                pages of a service's lists are enough. Guesses are reported on standard error, and are \
                comments in the YAML.
                """
        )

        @Argument(
            help: ArgumentHelp(
                "The samples: files, URLs, - for standard input.",
                valueName: "file|url"
            )
        )
        var samples: [String]

        @Option(
            help: ArgumentHelp(
                "The entity of the objects. By default it is derived from the name of the sample.",
                valueName: "entity"
            )
        )
        var name: String?

        @Option(
            help: ArgumentHelp("The path of the objects in the samples.", valueName: "key.path")
        )
        var root: String?

        @OptionGroup var headers: HeaderOptions

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let name { try Self.check(entity: name, option: "--name") }
        }

        /// Checks that a model can have an entity with this name.
        static func check(entity name: String, option: String) throws {
            let findings = Model(entities: [EntityDescription(name)]).findings()
            if let finding = findings.first(where: { $0.severity == .error }) {
                throw ValidationError("\(option): \(finding.message)")
            }
        }

        func run() async throws {
            let limits = Limits()
            var inference = ModelInference()
            var found: [(sample: String, list: SampledList)] = []
            for sample in samples {
                let lists =
                    PullAddress.isURL(sample)
                    ? try await addAddress(sample, to: &inference, limits: limits)
                    : try addFile(sample, to: &inference, limits: limits)
                found += lists.map { (Self.shown(sample), $0) }
            }
            let inferred = try Self.naming("The samples") { try inference.result() }
            try inferred.model.validate()
            try output.print(inferred.model) {
                try Console.raw(ModelYAML(inferred, samples: found).text())
            }
            logRemarks(about: inferred, samples: found)
        }

        // MARK: Samples

        private func addFile(
            _ path: String,
            to inference: inout ModelInference,
            limits: Limits
        ) throws -> [SampledList] {
            let file = try DocumentFile.open(path, progress: ProgressBar(output), limits: limits)
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

        private func addAddress(
            _ address: String,
            to inference: inout ModelInference,
            limits: Limits
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
                var items = try page.document.items(at: JSONPath(root))
                return [try inference.add(&items, from: source, entity: name, root: root)]
            }
        }

        /// Returns the name of a sample for messages, without the secrets of a URL.
        private static func shown(_ sample: String) -> String {
            guard PullAddress.isURL(sample) else {
                return sample == "-" ? "Standard input" : sample
            }
            return URL(string: sample)?.shown ?? "an address"
        }

        private static func naming<Result>(
            _ sample: String,
            in body: () throws -> Result
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

        private func logRemarks(
            about inferred: InferredModel,
            samples: [(sample: String, list: SampledList)]
        ) {
            guard !output.quiet else { return }
            for (sample, list) in samples where list.count == 0 {
                Console.log(
                    "\(sample): The list of \(list.entity) is empty, so nothing was inferred from it."
                )
            }
            for note in inferred.notes where note.needsReview { Console.log(note.description) }
        }
    }
}
