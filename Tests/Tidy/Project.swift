import Foundation

/// The text files of a checkout, including documents and scripts.
struct Project: Sendable {
    /// The checkout that this code was built from.
    static let current = Project(
        (1...3).reduce(URL(filePath: #filePath).resolvingSymlinksInPath()) { url, _ in
            url.deletingLastPathComponent()
        }
    )

    let folder: URL
    let files: [SourceFile]

    init(_ folder: URL) {
        self.folder = folder
        files = Self.paths(in: folder).compactMap { path in
            guard let data = FileManager.default.contents(atPath: "\(folder.path)/\(path)"),
                let text = String(data: data, encoding: .utf8)
            else { return nil }
            return SourceFile(path: path, text: text)
        }
    }

    private static func paths(in folder: URL) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)
        var found: [String] = []
        while let path = names?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            if name.hasPrefix(".") && !kept.contains(String(name)) || path == ExampleFile.folder {
                names?.skipDescendants()
            } else if names?.fileAttributes?[.type] as? FileAttributeType == .typeSymbolicLink {
                // The folder `Command` links to the manifest and to the sources.
                continue
            } else if isText(name) {
                found.append(path)
            }
        }
        return found.sorted()
    }

    /// The hidden files and folders that belong to the project.
    private static let kept = [
        ".ci", ".editorconfig", ".github", ".gitignore", ".spi.yml", ".swift-format",
    ]

    private static let endings = ["swift", "md", "sh", "py", "yml", "yaml", "txt"]

    private static func isText(_ name: Substring) -> Bool {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return true }
        return endings.contains(String(name[name.index(after: dot)...]))
    }
}
