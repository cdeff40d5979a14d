import ArgumentParser
import Foundation
import TidemarkRemote

/// The verb `tidemark trust`.
struct TrustVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Permit a configuration to read the environment variables that it references.",
        discussion: """
            A configuration may read variables whose names begin with TIDEMARK_ or are listed in \
            TIDEMARK_ENV. It may read others only once you trust it, so that a downloaded folder \
            cannot send your secrets to its server. A file that has changed must be trusted again. For \
            a URL, the header fields of --header are trusted; --revoke without --header revokes all \
            header fields of its origin.
            """
    )

    @Argument(help: ArgumentHelp("The configuration, or a URL.", valueName: "config|url"))
    var source = ConfigurationFile.usualName

    @OptionGroup var headers: HeaderOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Revoke the permission.")
    var revoke = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let subject = try subject()
        let trusted = try TrustedFiles()
        if revoke {
            let wasListed = try trusted.revoke(subject.trust)
            return try print(
                .unknown,
                of: subject,
                sentence: wasListed
                    ? "\(source) is trusted no longer." : "\(source) was not trusted."
            )
        }
        guard !subject.requests.isEmpty else {
            return try print(
                trusted.status(of: subject.trust),
                of: subject,
                sentence: "\(source) references no variable: there is nothing to trust."
            )
        }
        if !yes || !output.quiet && output.format == .text { show(subject) }
        guard yes || Console.isConfirmed("Trust \(source) with them? Type yes:") else {
            throw Failure(
                .notAllowed,
                "Nothing was trusted. Use --yes to trust it without being asked."
            )
        }
        try trusted.trust(subject.trust)
        try print(.trusted, of: subject, sentence: "\(source) is trusted, as it is now.")
    }

    /// What is to be trusted, the variables it needs, and the origins to which their values are
    /// sent.
    private struct Subject {
        let trust: TrustSubject
        let requests: [SecretRequest]
        let origins: [Origin]
    }

    private func subject() throws -> Subject {
        let headers = try headers.fields()
        guard PullAddress.isURL(source) else {
            guard headers.isEmpty else {
                throw Failure(.usage, "--header is for an address, and \(source) is a file.")
            }
            let file = try ConfigurationFile.read(source)
            let requests = try file.configuration.secretRequests()
            let service = requests.isEmpty ? nil : try file.configuration.bareService()
            return Subject(
                trust: TrustSubject(file),
                requests: requests,
                origins: service.map { [Origin($0.url)].compactMap(\.self) + $0.origins } ?? []
            )
        }
        guard let given = PullAddress(source), let origin = Origin(given.url) else {
            throw PullAddress.invalid
        }
        return Subject(
            trust: TrustSubject(headers, to: origin),
            requests: headers.requests,
            origins: [origin]
        )
    }

    /// Shows which variables are sent where.
    ///
    /// It is part of the question, not of the result, so it goes to standard error.
    private func show(_ subject: Subject) {
        let places = subject.origins.map(\.description).sorted().joined(separator: ", ")
        Console.log("\(source) reads from the environment, and sends to \(places):")
        for request in subject.requests { Console.log("  $\(request.name) in \(request.location)") }
    }

    private func print(
        _ status: TrustedFiles.Status,
        of subject: Subject,
        sentence: String
    ) throws {
        let document = Document(
            path: subject.trust.identity,
            status: status,
            names: subject.requests.map(\.name)
        )
        try output.print(document) { try Console.line(sentence) }
    }

    /// The trust status in JSON.
    private struct Document: Encodable {
        let path: String
        let status: TrustedFiles.Status
        let names: [String]
    }
}
