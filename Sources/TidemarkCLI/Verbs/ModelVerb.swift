import ArgumentParser
import Foundation
import TidemarkModel
import TidemarkStore

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

        @OptionGroup var output: OutputOptions

        func run() throws {
            let model = try model.map(ModelFile.load) ?? store.openForReading().model
            let description = ModelDescription(model)
            switch output.format {
            case .json: try printJSON(description)
            case .text: try Console.lines(ModelText(description).description)
            }
        }

        private func printJSON(_ description: ModelDescription) throws {
            try Console.json(description)
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
            let findings = try ModelFile.read(model).findings()
            switch output.format {
            case .json:
                try Console.json(findings)
            case .text:
                for finding in findings { try Console.line(finding.description) }
                if findings.isEmpty { try Console.line("Nothing to remark.") }
            }
            let errors = findings.count { $0.severity == .error }
            if errors > 0 {
                throw Failure(.data, "\(model) has \(errors) error\(errors == 1 ? "" : "s").")
            }
        }
    }
}
