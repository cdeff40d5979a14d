/// A module that a file imports.
struct Import {
    let module: String
    let line: Int

    /// Returns the imports of a file.
    static func all(in file: SourceFile) -> [Import] {
        file.code.enumerated().compactMap { number, line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy({ access.contains(String($0)) || $0.hasPrefix("@") })
            else { return nil }
            let rest = words[(index + 1)...].drop { kinds.contains(String($0)) }
            guard let module = rest.first?.split(separator: ".").first else { return nil }
            return Import(module: String(module), line: number)
        }
    }

    private static let access = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let"]
}
