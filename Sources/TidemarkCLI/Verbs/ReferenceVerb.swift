import ArgumentParser

/// The hidden verb `tidemark reference`, from which the documentation of the command is generated.
struct ReferenceVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference",
        abstract: "Print the reference of all commands.",
        shouldDisplay: false
    )

    @Option(help: "markdown for docs/cli.md, man for the manual page.")
    var format: Format

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case markdown
        case man
    }

    func run() throws {
        let command = try CommandReference.tidemark()
        switch format {
        case .markdown: try Console.raw(MarkdownReference(command).description)
        case .man:
            let version = TidemarkCommand.configuration.version
            try Console.raw(ManualPage(command, version: version).description)
        }
    }
}
