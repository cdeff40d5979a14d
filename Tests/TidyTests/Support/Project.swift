import Foundation

/// The files of the project.
enum Project {
    /// All text files, including documents and scripts.
    static let files: [SourceFile] = paths.compactMap { path in
        guard let data = FileManager.default.contents(atPath: folder.appending(path: path).path),
            let text = String(data: data, encoding: .utf8)
        else { return nil }
        return SourceFile(path: path, text: text)
    }

    /// The project's folder, above `Tests/TidyTests/Support`.
    static let folder = (1...4).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    private static var paths: [String] {
        let names = FileManager.default.enumerator(atPath: folder.path)
        var found: [String] = []
        while let path = names?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            if name.hasPrefix("."), !kept.contains(String(name)) {
                names?.skipDescendants()
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
