import ArgumentParser
import Foundation
import TidemarkInference
import TidemarkModel

extension ModelVerb {
    /// The verb `tidemark model generate`.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract: "Write record types for a model, as Swift source.",
            discussion: """
                Writes one struct for each entity, with the macro @Entity of TidemarkMacros, or with \
                --plain without macros. --into replaces the files of an earlier run, rejects other \
                files of the same names, and does not delete files of removed entities.
                """
        )

        @Argument(help: "The model: .xcdatamodeld, .xcdatamodel, YAML or JSON.")
        var model: String

        @Flag(help: "Write the conformances in full, without macros.")
        var plain = false

        @Option(
            help: ArgumentHelp(
                "The folder to write one file per entity into. Defaults to standard output.",
                valueName: "folder"
            )
        )
        var into: String?

        @Option(help: "The access level of the structs and their members.")
        var access = EntitySource.Access.internal

        @OptionGroup var output: OutputOptions

        func run() throws {
            let model = try ModelFile.load(model)
            let source = EntitySource(model, form: plain ? .plain : .macros, access: access)
            let files = try source.files()
            guard let into else {
                let texts = Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first }
                try output.print(texts) {
                    // The last text ends with the line break that the console adds.
                    try Console.raw(String(files.map(\.text).joined(separator: "\n").dropLast()))
                }
                return
            }
            let folder = URL(fileURLWithPath: into, isDirectory: true)
            let paths = try Self.write(files, into: folder)
            try output.print(paths) { for path in paths { try Console.line(path) } }
        }

        /// Writes the files after checking that none of them replaces one of a person, and returns
        /// their paths.
        private static func write(
            _ files: [EntitySource.File],
            into folder: URL
        ) throws -> [String] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in files {
                let url = folder.appending(path: file.name)
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                let known = try TextFile.read(url.path, limit: 1 << 20) {
                    Failure(.data, "\(url.path) cannot be read.")
                }
                guard known.hasPrefix(EntitySource.header) else {
                    throw Failure(
                        .notAllowed,
                        "\(url.path) was not written by this command, so nothing was written. "
                            + "Move it, or choose another folder."
                    )
                }
            }
            return try files.map { file in
                let url = folder.appending(path: file.name)
                try Data(file.text.utf8).write(to: url, options: .atomic)
                return url.path
            }
        }
    }
}

extension EntitySource.Access: ExpressibleByArgument {}
