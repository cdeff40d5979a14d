import ArgumentParser
import Foundation
import TidemarkInference
import TidemarkModel
import TidemarkStore
import TidemarkYAML

/// The verb `tidemark model`.
struct ModelVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Show, check, infer or generate code from a model.",
        subcommands: [Show.self, Check.self, Infer.self, Generate.self]
    )

    /// The verb `tidemark model show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print a model and the JSON names that it maps."
        )

        @Argument(help: "The model. Defaults to that of the store.")
        var model: String?

        @OptionGroup var store: StoreOptions

        @Option(help: "The output: text for people, json for programs, yaml for --model.")
        var format = Format.text

        @OptionGroup var remarks: QuietOptions

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text
            case json
            case yaml
        }

        func run() throws {
            let model = try model.map(ModelFile.load) ?? store.openForReading().model
            switch format {
            case .json: try Console.json(ModelSummary(model))
            case .text: try Console.lines(ModelText(ModelSummary(model)).description)
            case .yaml: try Console.raw(ModelYAML(model).text())
            }
        }
    }

    /// The verb `tidemark model check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Report the errors and doubtful parts of a model with their paths.",
            discussion: "The exit status is 65 if no store can be created with the model."
        )

        @Argument(help: "The model: .xcdatamodeld, .xcdatamodel, YAML or JSON.")
        var model: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let findings = try StoreLayout.findings(in: ModelFile.read(model))
            try output.print(findings.map(Finding.init)) {
                for finding in findings { try Console.line(finding.description) }
                if findings.isEmpty { try Console.line("No problems found.") }
            }
            let errors = findings.count { $0.severity == .error }
            if errors > 0 {
                throw Failure(.data, "\(model) has \(errors.counted("error")).")
            }
        }

        /// A finding in JSON.
        private struct Finding: Encodable {
            let severity: Diagnostic.Severity
            let path: String
            let message: String
            let hint: String?

            init(_ issue: ModelIssue) {
                severity = issue.severity
                path = issue.path
                message = issue.message
                hint = issue.hint
            }
        }
    }
}
