import ArgumentParser
import Foundation
import TidemarkRemote

/// The verb `tidemark trust`.
struct TrustVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Let a configuration read any variable of the environment that it names.",
        discussion: """
            A configuration may read variables that are called TIDEMARK_…, or listed in TIDEMARK_ENV. \
            Others it may read once you have looked at it and trust it: so a folder from elsewhere \
            cannot send your secrets away. A file that has changed has to be trusted again.
            """
    )

    @Argument(help: ArgumentHelp("The configuration.", valueName: "config"))
    var source = ConfigurationFile.usualName

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Trust it no longer.")
    var revoke = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try ConfigurationFile(source)
        let trusted = try TrustedFiles()
        if revoke {
            let wasListed = try trusted.revoke(file)
            return try tell(
                file,
                .unknown,
                wasListed ? "\(source) is trusted no longer." : "\(source) was not trusted."
            )
        }
        let requests = try file.configuration.secretRequests()
        guard !requests.isEmpty else {
            let standing = try trusted.standing(of: file)
            return try tell(
                file,
                standing,
                "\(source) asks for nothing: there is nothing to trust."
            )
        }
        if !yes || !output.quiet && output.format == .text { try show(requests, of: file) }
        guard yes || Console.isConfirmed("Trust \(source) with them? Type yes:") else {
            throw Failure(
                .notAllowed,
                "Nothing was trusted. Use --yes to trust it without being asked."
            )
        }
        try trusted.trust(file)
        try tell(file, .trusted, "\(source) is trusted, as it is now.")
    }

    /// Shows what goes where, on standard error: it is the question, not the result.
    private func show(_ requests: [SecretRequest], of file: ConfigurationFile) throws {
        let service = try file.configuration.bareService()
        let origins = [Origin(service.url)].compactMap { $0 } + service.origins
        let places = origins.map(\.description).sorted().joined(separator: ", ")
        Console.note("\(source) reads from the environment, and sends to \(places):")
        for request in requests { Console.note("  $\(request.name) in \(request.place)") }
    }

    private func tell(
        _ file: ConfigurationFile,
        _ standing: TrustedFiles.Standing,
        _ sentence: String
    ) throws {
        guard output.format == .json else { return try Console.line(sentence) }
        let document = Document(
            path: file.place,
            standing: standing,
            names: try file.configuration.secretRequests().map(\.name)
        )
        try Console.json(document)
    }

    /// How a configuration stands, as programs read it.
    private struct Document: Encodable {
        let path: String
        let standing: TrustedFiles.Standing
        let names: [String]
    }
}
