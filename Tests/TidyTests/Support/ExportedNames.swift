@testable import Tidy

/// The names that `import Tidemark` adds to a file, as declared and as listed by
/// `NameCollisionTests`.
struct ExportedNames: Equatable {
    let names: [String]

    /// Finds the public declarations of the modules that Tidemark exports, except for members.
    init(declaredIn files: [SourceFile]) {
        let exports = files.filter { $0.target == "Tidemark" }.flatMap { file in
            Import.all(in: file).filter { file.code[$0.line].contains("@_exported") }
        }
        let modules = Set(exports.map(\.module)).union(["Tidemark"])
        names = files.filter { modules.contains($0.target ?? "") }
            .flatMap(\.publicDeclarations).filter { $0.owner == nil }.map(\.name).sorted()
    }

    /// Reads the types in the declaration of `Exported`.
    init(listedIn file: SourceFile) {
        let list = file.outline.types.first { $0.name.split(separator: ".").last == "Exported" }
        // The arguments of generic types are not in the list.
        var depth = 0
        var names: [String] = []
        for token in list?.head ?? [] {
            switch token.text {
            case "<": depth += 1
            case ">": depth -= 1
            default: if depth == 1, token.isWord, token.text != "any" { names.append(token.text) }
            }
        }
        self.names = names.sorted()
    }
}
