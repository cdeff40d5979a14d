import ArgumentParser
import Foundation
import TidemarkModel
import TidemarkStore
import TidemarkYAML

/// The verb `tidemark model`.
struct ModelVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Look at a model, or infer one.",
        subcommands: [Show.self, Check.self, Infer.self]
    )

    /// The verb `tidemark model show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print what a model holds, and the JSON names it answers to."
        )

        @Argument(help: "The model; or --store for the one a store remembers.")
        var model: String?

        @OptionGroup var store: StoreOptions

        @Option(help: "text for people, json for programs, yaml for --model.")
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
            abstract: "Tell what is wrong or doubtful in a model, with the place.",
            discussion: "The exit status is 65 when a store cannot be made with the model."
        )

        @Argument(help: "The model: .xcdatamodeld, .xcdatamodel, YAML or JSON.")
        var model: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let findings = try StoreLayout.findings(in: ModelFile.read(model))
            switch output.format {
            case .json:
                try Console.json(findings)
            case .text:
                for finding in findings { try Console.line(finding.description) }
                if findings.isEmpty { try Console.line("No problems found.") }
            }
            let errors = findings.count { $0.severity == .error }
            if errors > 0 {
                throw Failure(.data, "\(model) has \(errors) error\(errors == 1 ? "" : "s").")
            }
        }
    }
}
