import Testing

/// Names say what a thing is, and files are named for what they hold.
struct NameTests {
    @Test(arguments: Rule.names) func `judges its own examples`(rule: Rule) {
        #expect(rule.misjudged.isEmpty)
    }

    @Test(arguments: Rule.names) func `holds in all Swift files`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let names = [
        Rule(
            "No type has a name that says nothing",
            in: .swift,
            broken: ["struct StoreManager {}", "final class RowHelper {}", "enum StringUtils {}"],
            kept: ["struct Store {}", "let linkBase = 1", "// struct Manager {}"]
        ) { file in
            Declaration.types(in: file).filter { type in hollow.contains { type.name.hasSuffix($0) }
            }
            .map { file.finding($0.line, "\($0.name) could be anything; name the thing.") }
        },
        Rule(
            "A file is named for its first type",
            broken: ["struct Row {}", "struct Storage {}\nstruct Store {}"],
            kept: ["struct Store {}\nstruct Row {}", "private import A\nextension Store {}"]
        ) { file in
            file.name.contains("+") || isNamedForFirstType(file)
                ? [] : [file.finding(0, "The file is not named for what it declares.")]
        },
        Rule(
            "A file Type+Aspect is about the type",
            broken: ["extension Row {}", "struct Row {}"],
            kept: ["extension Store {}", "struct Row {}\nextension Store {}"],
            path: "Sources/TidemarkStore/Store+Rows.swift"
        ) { file in
            let parts = file.name.split(separator: "+")
            return parts.count < 2 || isAbout(parts[0], file)
                ? [] : [file.finding(0, "The file is not about the type it names.")]
        },
    ]

    private static let hollow = [
        "Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Handler", "Base",
    ]

    /// Files that hold no type of their own.
    private static let lists = ["Exports", "Arguments"]

    private static func isNamedForFirstType(_ file: SourceFile) -> Bool {
        let declarations = Declaration.all(in: file)
        let first = declarations.first { $0.isType } ?? declarations.first
        return first?.name == file.name || lists.contains(file.name)
    }

    private static func isAbout(_ type: Substring, _ file: SourceFile) -> Bool {
        Declaration.all(in: file).contains { $0.name == type || $0.name.hasPrefix("\(type).") }
    }
}
