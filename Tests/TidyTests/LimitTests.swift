import Testing

@testable import Tidy

/// Limits on numbers that are measured over all sources; `Caps` is their table.
struct LimitTests {
    @Test(arguments: Quota.all) func `classifies its own examples correctly`(quota: Quota) {
        #expect(quota.misjudged.isEmpty)
    }

    @Test(arguments: Quota.all) func `holds in all sources`(quota: Quota) {
        #expect(quota.violation == nil, "\(quota.violation ?? "")")
    }

    @Test func `every target has a limit of public types`() {
        let targets = Set(FileSet.sources.files.compactMap(\.target))
        #expect(targets == Set(Caps.publicTypes.keys))
    }

    @Test func `every exception is a function of the sources`() {
        let names = FileSet.sources.files.flatMap { file in
            file.unlabelled.map { "\(file.name).\($0.name)" }
        }
        #expect(Set(names).isSuperset(of: Caps.withoutLabels.keys))
    }
}

extension Quota {
    fileprivate static let all =
        [overfullTypes, unlabelled, flags, effects]
        + Caps.reasons.sorted { $0.key < $1.key }.map { reasons($0, $1) }
        + Caps.publicTypes.sorted { $0.key < $1.key }.map { publicTypes($0, $1) }

    private static let overfullTypes = count(
        "A type has at most \(Measures.storedProperties) stored properties",
        Caps.overfullTypes,
        broken: [
            "struct A {\n\(lines(13) { "let a\($0): Int" })\n}",
            "actor A {\n\(lines(13) { "private var a\($0): Int { didSet { b() } }" })\n}",
        ],
        kept: [
            "struct A {\n\(lines(12) { "let a\($0): Int" })\n}",
            "struct A {\n\(lines(13) { "var a\($0): Int { let b = 1; return b }" })\n}",
            "class A {\n\(lines(13) { "static let a\($0) = 1" })\n}",
            "struct A {\n\(lines(7) { "let a\($0) = 1\nstruct B\($0) { let c = 1 }" })\n}",
        ]
    ) { file in
        file.types.filter { file.storedProperties(of: $0).count > Measures.storedProperties }
    }

    private static let unlabelled = Quota(
        "Few functions have two or more unlabelled parameters",
        Caps.unlabelled,
        broken: [
            "func a(_ b: Int, _ c: Int) {}", "init(_ b: Int = 1, d: Int, _ c: [Int: Int]) {}",
            "subscript(a: Int, b: Int) -> Int { 1 }",
        ],
        kept: [
            "func a(_ b: Int, c: Int) {}", "func a(_ db: Database, _ b: Int) {}",
            "static func < (a: A, b: A) -> Bool {}", "subscript(a: Int, at b: Int) -> Int { 1 }",
            "func a(_ b: (_ c: Int, _ d: Int) -> Int) {}", "a.b(1, 2)",
            lines(33) { "func a\($0)(b: Int) {}" } + "\nfunc a(_ b: Int, _ c: Int) {}",
        ]
    ) { files in
        let findings = files.flatMap { file in
            file.unlabelled.filter { Caps.withoutLabels["\(file.name).\($0.name)"] == nil }
                .map { file.finding($0.line, "\($0.name) needs labels.") }
        }
        let functions = files.reduce(0) { $0 + $1.outline.functions.count }
        let share = 100 * Double(findings.count) / Double(max(functions, 1))
        return Measured(value: share, findings: findings)
    }

    private static let flags = count(
        "No parameter of a public function is a flag",
        Caps.flags,
        broken: ["public func a(isB: Bool) {}", "public init(_ a: Int, b c: Bool? = nil) {}"],
        kept: [
            "func a(isB: Bool) {}", "public init(isOptional: Bool = true) {}",
            "public func a(_ b: (Bool) -> Int) {}", "public var isA: Bool",
            "public func boolean(_ value: Bool) {}",
        ]
    ) { file in
        file.outline.functions.filter { function in
            function.isPublic
                && function.parameters.contains { parameter in
                    parameter.type.first == "Bool"
                        && !Caps.facts.contains(parameter.label ?? function.name)
                }
        }
    }

    private static let effects = count(
        "An initializer performs no I/O",
        Caps.effectfulInitializers,
        broken: [
            "init(_ a: String) throws { b = try Store.open(at: a) }", "init() async { a = 1 }",
            "init() {\nself.a = FileManager.default.temporaryDirectory\n}",
        ],
        kept: [
            "init(a: Store) { b = a }", "init(_ a: () async -> Int) {}", "// init() async {}",
            "static func open() async { FileManager.default.b() }", "init() { a.reopen() }",
        ]
    ) { file in
        file.outline.functions.filter { function in
            guard function.keyword == "init" else { return false }
            let code = file.code[function.line...(function.body?.upperBound ?? function.line)]
            return function.isAsync
                || code.contains { line in calls.contains { Words.containsWord($0, in: line) } }
        }
    }

    /// What opens, reads or writes databases and files.
    ///
    /// The network cannot be used without an `async` initializer.
    private static let calls = [
        "open(", "openReadOnly(", "DatabaseQueue(", "DatabasePool(", "execute(", "fetchOne(",
        "fetchAll(", "FileManager", "FileHandle(", "contentsOf",
    ]

    private static func reasons(_ folder: String, _ limit: Limit) -> Quota {
        Quota(
            "Comments in \(folder) say why",
            in: FileSet(folder, ending: ".swift"),
            limit,
            broken: ["// Why.\n/// A.\n// MARK: A\n\(lines(100) { "a\($0)()" })"],
            kept: ["// Why,\n// in two lines.\n/// A.\n\(lines(100) { "a\($0)()" })"]
        ) { files in
            let reasons = files.reduce(0) { $0 + $1.reasons.count }
            let lines = files.reduce(0) { $0 + $1.codeLines.count }
            return Measured(
                value: 100 * Double(reasons) / Double(max(lines, 1)),
                findings: files.filter(\.reasons.isEmpty).map {
                    $0.finding(0, "No comment says why.")
                }
            )
        }
    }

    private static func publicTypes(_ target: String, _ limit: Limit) -> Quota {
        count(
            "\(target) has few public types",
            in: .target(target),
            limit,
            broken: [lines(Int(limit.bound) + 1) { "public struct A\($0) { struct B {} }" }],
            kept: [lines(Int(limit.bound)) { "extension A { public enum B\($0) {} }\nclass C {}" }]
        ) { $0.publicTypes }
    }

    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n")
    }
}
