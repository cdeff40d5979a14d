import ArgumentParser

/// The output format of a verb.
struct OutputOptions: ParsableArguments {
    @Option(help: "The output: text for people, json for programs.")
    var format = Format.text

    @OptionGroup var remarks: QuietOptions

    var quiet: Bool { remarks.quiet }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }
}

extension OutputOptions {
    /// Prints the result of a verb: a JSON document for programs, or text for people.
    ///
    /// - Parameters:
    ///   - document: The document. It is created only if it is printed.
    ///   - text: Prints the text.
    /// - Throws: ``Failure`` if standard output cannot be written; the errors of both closures.
    func print<Document: Encodable>(
        _ document: @autoclosure () throws -> Document,
        text: () throws -> Void
    ) throws {
        switch format {
        case .text: try text()
        case .json: try Console.json(document())
        }
    }
}
