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
            cannot send your secrets away. A file that has changed has to be trusted again. Of an \
            address, the header fields given with --header are trusted; --revoke without --header \
            revokes all of its origin.
            """
    )

    @Argument(help: ArgumentHelp("The configuration, or an address.", valueName: "config|url"))
    var source = ConfigurationFile.usualName

    @OptionGroup var headers: HeaderOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Trust it no longer.")
    var revoke = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let subject = try subject()
        let trusted = try TrustedFiles()
        if revoke {
            let wasListed = try trusted.revoke(subject.trust)
            return try tell(
                subject,
                .unknown,
                wasListed ? "\(source) is trusted no longer." : "\(source) was not trusted."
            )
        }
        guard !subject.requests.isEmpty else {
            let standing = try trusted.standing(of: subject.trust)
            return try tell(
                subject,
                standing,
                "\(source) asks for nothing: there is nothing to trust."
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
        try tell(subject, .trusted, "\(source) is trusted, as it is now.")
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
        guard PullAddress.isOne(source) else {
            guard headers.isEmpty else {
                throw Failure(.usage, "--header is for an address, and \(source) is a file.")
            }
            let file = try ConfigurationFile(source)
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
        Console.note("\(source) reads from the environment, and sends to \(places):")
        for request in subject.requests { Console.note("  $\(request.name) in \(request.place)") }
    }

    private func tell(
        _ subject: Subject,
        _ standing: TrustedFiles.Standing,
        _ sentence: String
    ) throws {
        guard output.format == .json else { return try Console.line(sentence) }
        let document = Document(
            path: subject.trust.place,
            standing: standing,
            names: subject.requests.map(\.name)
        )
        try Console.json(document)
    }

    /// The trust status in JSON.
    private struct Document: Encodable {
        let path: String
        let standing: TrustedFiles.Standing
        let names: [String]
    }
}
