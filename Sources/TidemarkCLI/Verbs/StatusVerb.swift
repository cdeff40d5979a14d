import ArgumentParser
import Foundation
import TidemarkStore
import TidemarkSync

/// The verb `tidemark status`.
struct StatusVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far the pulls into a store have come."
    )

    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try StatusPrinter(output, options.arguments)
            .print(SyncStatus.of(options.openForReading()))
    }
}
