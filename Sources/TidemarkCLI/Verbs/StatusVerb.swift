import ArgumentParser
import Foundation
import TidemarkStore
import TidemarkSync

/// The verb `tidemark status`.
struct StatusVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the pulls into a store."
    )

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try StatusPrinter(output, arguments: options.arguments)
            .print(SyncStatus.of(options.openForReading()))
    }
}
