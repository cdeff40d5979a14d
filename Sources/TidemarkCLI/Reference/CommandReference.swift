import ArgumentParser
import Foundation

/// A command with its arguments and subcommands, as the parser describes it.
///
/// The manual page and the reference in `docs/cli.md` are generated from it, so that they cannot
/// differ from what the command accepts.
struct CommandReference: Decodable {
    /// An argument, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            var isLong: Bool { kind == "long" }

            /// The name as it is written on the command line.
            var text: String { isLong ? "--\(name)" : "-\(name)" }
        }

        let kind: Kind
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let allValues: [String]?
        let defaultValue: String?
        let abstract: String?
        let discussion: String?
    }

    let commandName: String
    let shouldDisplay: Bool
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [CommandReference]?

    /// Returns the description of the whole command.
    ///
    /// - Throws: `DecodingError` if the parser uses another format.
    static func tidemark() throws -> CommandReference {
        struct Dump: Decodable {
            let command: CommandReference
        }
        return try JSONDecoder().decode(Dump.self, from: Data(TidemarkCommand._dumpHelp().utf8))
            .command
    }

    /// The subcommands that help shows, except `help` itself.
    private var shownSubcommands: [CommandReference] {
        (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
    }

    /// The arguments and options that belong to this command only.
    ///
    /// `--help` and `--version` are the same everywhere.
    var ownArguments: [Argument] {
        (arguments ?? []).filter { argument in
            argument.shouldDisplay
                && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
        }
    }

    /// The paragraphs of the description.
    var paragraphs: [String] {
        [abstract, discussion].compactMap(\.self).flatMap { text in
            text.split(separator: "\n").map(String.init)
        }
    }

    /// Returns all commands below this one, each with the words that call it.
    func verbs(below path: [String] = []) -> [(name: String, verb: CommandReference)] {
        let path = path + [commandName]
        return shownSubcommands.flatMap { child in
            let name = (path + [child.commandName]).joined(separator: " ")
            return [(name, child)] + child.verbs(below: path)
        }
    }

    /// The arguments of the command in the notation of a synopsis.
    var synopsis: String {
        guard shownSubcommands.isEmpty else { return "<subcommand>" }
        return ownArguments.map(\.synopsis).joined(separator: " ")
    }
}

extension CommandReference.Argument {
    /// The names, short ones first, separated by commas; the value's name for an argument.
    var title: String {
        guard let names else { return valueText }
        return (names.filter { !$0.isLong } + names.filter(\.isLong)).map(\.text)
            .joined(separator: ", ")
    }

    /// The placeholder of the value; empty for a flag.
    var valueText: String {
        kind == .flag ? "" : "<\(valueName ?? "")>"
    }

    /// The sentences that describe the argument.
    var sentences: String {
        var parts = [abstract, discussion].compactMap(\.self)
        if let allValues { parts.append("Values: \(allValues.joined(separator: ", ")).") }
        if let defaultValue { parts.append("Default: \(defaultValue).") }
        return parts.joined(separator: " ")
    }

    fileprivate var synopsis: String {
        let name = (names?.first(where: \.isLong) ?? names?.first)?.text
        let text = [name, kind == .flag ? nil : valueText].compactMap(\.self)
            .joined(separator: " ")
        return (isOptional ? "[\(text)]" : text) + (isRepeating ? "..." : "")
    }
}
