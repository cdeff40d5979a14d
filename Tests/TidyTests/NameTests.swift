import Testing

@testable import Tidy

/// Rules about the names of types and files.
struct NameTests {
    @Test(arguments: Rule.names) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.names) func `holds in all Swift files`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }
}

extension Rule {
    fileprivate static let names = [
        Rule(
            "No type has a generic name",
            in: .swift.except("Tests/AppleNames/"),
            broken: ["struct StoreManager {}", "final class RowHelper {}", "enum StringUtils {}"],
            kept: ["struct Store {}", "let linkBase = 1", "// struct Manager {}"]
        ) { file in
            file.outline.types.filter { type in genericNames.contains { type.name.hasSuffix($0) }
            }
            .map { file.finding($0.line, "\($0.name) is too generic: name what the type is.") }
        },
        Rule(
            "A file is named after its first type",
            broken: ["struct Row {}", "struct Storage {}\nstruct Store {}"],
            kept: [
                "struct Store {}\nstruct Row {}", "private import A\nextension Store {}",
                "public macro Store() = a",
            ]
        ) { file in
            file.name.contains("+") || isNamedForFirstType(file)
                ? [] : [file.finding(0, "The file is not named after its first type.")]
        },
        Rule(
            "A file Type+Aspect declares or extends the type",
            broken: ["extension Row {}", "struct Row {}"],
            kept: ["extension Store {}", "struct Row {}\nextension Store {}"],
            path: "Sources/TidemarkStore/Store+Rows.swift"
        ) { file in
            let parts = file.name.split(separator: "+")
            return parts.count < 2 || isAbout(parts[0], file)
                ? [] : [file.finding(0, "The file does not declare the type in its name.")]
        },
    ]

    private static let genericNames = [
        "Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Handler", "Base",
    ]

    /// The files that are not named after a type.
    private static let lists = ["Exports", "Arguments"]

    private static func isNamedForFirstType(_ file: SourceFile) -> Bool {
        let declarations = types(of: file)
        let first = declarations.first { $0.isType } ?? declarations.first
        return (first?.name ?? firstMacro(of: file)) == file.name || lists.contains(file.name)
    }

    private static func firstMacro(of file: SourceFile) -> String? {
        let declaration = file.lines.first { $0.hasPrefix("public macro ") }
        return declaration.map { String($0.dropFirst("public macro ".count).prefix { $0 != "(" }) }
    }

    private static func isAbout(_ type: Substring, _ file: SourceFile) -> Bool {
        types(of: file).contains { $0.name == type || $0.name.hasPrefix("\(type).") }
    }

    /// Returns the types and extensions of a file that are not nested.
    private static func types(of file: SourceFile) -> [Declaration] {
        file.outline.declarations.filter { $0.owner == nil && $0.hasMembers }
    }
}
