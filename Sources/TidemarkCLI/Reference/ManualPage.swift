/// The manual page of the command, in the macros of man(7).
struct ManualPage: CustomStringConvertible {
    private let command: CommandReference
    private let version: String

    init(_ command: CommandReference, version: String) {
        self.command = command
        self.version = version
    }

    var description: String {
        var lines = [
            #".TH TIDEMARK 1 "" "tidemark \#(version)" "User Commands""#,
            // Arguments must not be hyphenated, and are hard to read with stretched spaces.
            ".nh",
            ".ad l",
            ".SH NAME",
            #"tidemark \- sync JSON web services into a local SQLite database"#,
            ".SH SYNOPSIS",
            #".B tidemark"#,
            #"\fIsubcommand\fR [\fIarguments\fR]"#,
            ".SH DESCRIPTION",
        ]
        lines += paragraphs(command.paragraphs)
        lines.append(".SH SUBCOMMANDS")
        for (name, verb) in command.verbs() {
            let (name, synopsis) = (Self.escaped(name), Self.escaped(verb.synopsis))
            lines += [".SS \(name)", #"\fB\#(name)\fR \#(synopsis)"#]
            lines += paragraphs(verb.paragraphs)
            for argument in verb.ownArguments { lines += entry(for: argument) }
        }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in Self.variables {
            lines += [".TP", ".B \(Self.escaped(name))", Self.escaped(meaning)]
        }
        return lines.joined(separator: "\n")
    }

    private func paragraphs(_ texts: [String]) -> [String] {
        texts.flatMap { [".PP", Self.escaped($0)] }
    }

    private func entry(for argument: CommandReference.Argument) -> [String] {
        let value =
            argument.names == nil || argument.valueText.isEmpty
            ? "" : #" \fI\#(Self.escaped(argument.valueText))\fR"#
        return [
            ".TP", #"\fB\#(Self.escaped(argument.title))\fR\#(value)"#,
            Self.escaped(argument.sentences),
        ]
    }

    private static let variables: KeyValuePairs = [
        "TIDEMARK_STORE": "The SQLite file of commands without --store.",
        "TIDEMARK_ENV":
            "The environment variables that a configuration may read, separated by commas.",
        "NO_COLOR": "If it is set, progress is shown without colors.",
    ]

    /// Returns a text in which roff interprets no character.
    ///
    /// A hyphen would be typeset as a Unicode hyphen, which cannot be copied into a shell, and a
    /// dot or an apostrophe at the start of a line would begin a request. Other characters than
    /// those of ASCII depend on the preprocessor.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case #"\"#: result += #"\e"#
            case "-": result += #"\-"#
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                result += #"\[u\#(zeros + digits)]"#
            }
        }
        return [".", "'"].contains { result.hasPrefix($0) } ? #"\&"# + result : result
    }
}
