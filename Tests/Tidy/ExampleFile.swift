import Foundation

/// A generated file with the examples of a target, which is compiled with the tests.
struct ExampleFile {
    /// The folder of the generated files.
    static let folder = "Tests/ExampleTests/Generated"

    let path: String
    let text: String

    /// Returns the files for the targets of a project that have examples.
    static func all(in project: Project) -> [ExampleFile] {
        let sources = project.files.filter { $0.path.hasPrefix("Sources/") }
        let targets = Dictionary(grouping: sources) { $0.target ?? "" }
        return targets.sorted { $0.key < $1.key }.compactMap { ExampleFile($0.key, of: $0.value) }
    }

    /// Replaces the generated files of a project.
    static func write(for project: Project) throws {
        let folder = project.folder.appending(path: folder)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in all(in: project) {
            try Data(file.text.utf8).write(to: project.folder.appending(path: file.path))
        }
    }

    private init?(_ target: String, of files: [SourceFile]) {
        let functions = files.flatMap { file in
            Example.all(in: file).enumerated().map { number, example in
                let name = file.name.replacing("+", with: "_")
                return "// \(file.path)\n\(example.function("\(name)_\(number + 1)"))\n"
            }
        }
        guard !functions.isEmpty else { return nil }
        path = "\(Self.folder)/\(target).swift"
        text = """
            // The examples in the documentation comments of \(target), written by `make examples`.
            // swift-format-ignore-file

            \(Self.imports.map { "import \($0)\n" }.joined())
            \(functions.joined(separator: "\n"))
            """
    }

    private static let imports = [
        "Foundation", "GRDB", "HTTPTypes", "Logging", "Testing", "Tidemark", "TidemarkCoreData",
        "TidemarkHTTPClient", "TidemarkMacros", "TidemarkTesting",
    ]
}
