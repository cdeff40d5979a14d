/// What `scripts/measure` counts in a set of files.
struct Measures: Sendable {
    var codeLines = 0
    var reasons = 0
    var words = 0
    var functions = 0
    var unlabelled = 0
    var publicTypes = 0
    var publicDeclarations = 0
    var documentationLines = 0
    var examples = 0
    var pageTypes = 0
    var checkpoints = 0

    /// The types with more than ``storedProperties`` stored properties, and how many they have.
    var overfull: [(type: String, count: Int)] = []

    /// The number of stored properties that a type may have.
    static let storedProperties = 12

    init(_ files: [SourceFile]) {
        for file in files { add(file) }
    }

    private mutating func add(_ file: SourceFile) {
        codeLines += file.codeLines.count
        reasons += file.reasons.count
        words += file.prose.reduce(0) { $0 + Dialect.words(in: $1).count }
        functions += file.outline.functions.count
        unlabelled += file.unlabelled.count
        publicTypes += file.publicTypes.count
        for declaration in file.publicDeclarations {
            let documentation = file.documentation(of: declaration)
            publicDeclarations += 1
            documentationLines += documentation.count
            examples += documentation.contains { $0.contains("```swift") } ? 1 : 0
        }
        if file.target == "TidemarkRemote" || file.target == "TidemarkSync" {
            pageTypes += file.types.count { type in
                let name = type.name.split(separator: ".").last ?? ""
                return name.hasPrefix("Page") || name.hasSuffix("Page")
            }
        }
        for type in file.types {
            let properties = file.storedProperties(of: type)
            checkpoints += properties.count(where: \.isCheckpoint)
            if properties.count > Self.storedProperties {
                overfull.append((type.name, properties.count))
            }
        }
    }
}

extension Declaration {
    /// Whether the type of a property is the checkpoint of a pull, which one value should own.
    fileprivate var isCheckpoint: Bool {
        let type = head.drop { $0.text != ":" }.dropFirst().map(\.text)
        return ["PullCheckpoint", "OpenWalk"].contains(type.first) && type.dropFirst().first != "."
    }
}
