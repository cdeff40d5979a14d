import Testing

@testable import Tidy

/// The dependencies between layers: the modules that a target imports, and the names that it uses.
struct LayerTests {
    /// The modules that each target may import, in addition to ``everywhere``.
    private static let allowed: [String: Set<String>] = [
        "TidemarkJSON": [],
        "TidemarkModel": ["TidemarkJSON"],
        "TidemarkStore": ["TidemarkJSON", "TidemarkModel", "GRDB", "GRDBSQLite", "Observation"],
        "TidemarkRemote": ["TidemarkJSON", "TidemarkModel", "HTTPTypes"],
        "TidemarkImport": ["TidemarkJSON", "TidemarkModel", "TidemarkStore", "GRDB"],
        "TidemarkSync": [
            "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkRemote", "TidemarkImport",
            "GRDB",
            "HTTPTypes", "Logging", "CoreMetrics", "Tracing",
        ],
        "Tidemark": [
            "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkRemote", "TidemarkImport",
            "TidemarkSync",
            "TidemarkURLSession", "GRDB",
        ],
        "TidemarkCoreData": ["TidemarkModel", "FoundationXML"],
        "TidemarkInference": ["TidemarkJSON", "TidemarkModel"],
        "TidemarkURLSession": [
            "TidemarkModel", "TidemarkRemote", "HTTPTypes", "HTTPTypesFoundation",
            "FoundationNetworking",
        ],
        "TidemarkHTTPClient": [
            "TidemarkModel", "TidemarkRemote", "HTTPTypes", "AsyncHTTPClient", "NIOCore",
            "NIOHTTP1", "NIOHTTPCompression", "NIOPosix", "NIOSSL",
        ],
        "TidemarkMacroExpansion": ["SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxMacros"],
        "TidemarkMacroPlugin": [
            "TidemarkMacroExpansion", "SwiftCompilerPlugin", "SwiftSyntaxMacros",
        ],
        "TidemarkMacros": ["TidemarkModel", "TidemarkStore"],
        "TidemarkTesting": [
            "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkRemote", "GRDB", "HTTPTypes",
        ],
        "TidemarkFakeServices": ["TidemarkModel", "TidemarkTesting", "HTTPTypes"],
        "TidemarkFakeServer": [
            "TidemarkModel", "TidemarkRemote", "TidemarkTesting", "HTTPTypes", "Hummingbird",
            "HummingbirdCore", "HummingbirdTLS", "NIOCore", "NIOHTTP1", "NIOHTTPCompression",
            "NIOHTTPTypesHTTP1", "NIOSSL", "ServiceLifecycle", "Logging",
        ],
        "TidemarkYAML": ["TidemarkModel", "TidemarkInference", "Yams", "CYaml"],
        "TidemarkCLI": [
            "TidemarkJSON", "TidemarkModel", "TidemarkCoreData", "TidemarkInference",
            "TidemarkStore", "TidemarkRemote", "TidemarkImport", "TidemarkSync",
            "TidemarkYAML", "TidemarkHTTPClient", "TidemarkTesting", "TidemarkFakeServer", "GRDB",
            "HTTPTypes", "Logging", "ArgumentParser",
        ],
    ]

    /// The modules that every target may import, because they are part of the toolchain or of the
    /// system.
    private static let everywhere: Set<String> = [
        "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "CryptoKit",
        "Glibc", "Musl", "Darwin", "Android",
    ]

    @Test func `the table contains every target and nothing else`() {
        let targets = Set(FileSet.sources.files.compactMap(\.target))
        #expect(targets == Set(Self.allowed.keys))
    }

    @Test func `a target imports only the layers below it and its own dependencies`() {
        let findings = FileSet.sources.files.flatMap(Self.layerFindings)
        #expect(findings.isEmpty, "\(findings.listed)")
    }

    @Test func `an import of a higher or a neighbouring layer is found`() {
        let texts = [
            "import TidemarkRemote", "@testable import TidemarkSync", "public import HTTPTypes",
            "import struct TidemarkImport.ImportSession", "package import Hummingbird",
            "import NIOCore",
        ]
        for text in texts {
            let file = SourceFile(path: "Sources/TidemarkStore/Store.swift", text: text)
            #expect(Self.layerFindings(file).count == 1, "\(text)")
        }
    }

    @Test func `only one file imports an XML parser`() {
        let readers = FileSet.sources.files.filter { Self.imports("FoundationXML", $0) }.map(\.path)
        #expect(readers == ["Sources/TidemarkCoreData/ModelParser.swift"])
    }

    @Test func `in TidemarkSync only the engine and its pulls import TidemarkRemote`() {
        let findings = FileSet.sources.files
            .filter {
                $0.target == "TidemarkSync"
                    && !["Assets", "Engine", "Pull", "Push"].contains($0.parts[2])
            }
            .filter { Self.imports("TidemarkRemote", $0) }
            .map { $0.finding(0, "This folder may not import TidemarkRemote.") }
        #expect(findings.isEmpty, "\(findings.listed)")
    }

    @Test(arguments: Rule.vocabularies) func `classifies its own examples correctly`(rule: Rule) {
        #expect(rule.misclassified.isEmpty)
    }

    @Test(arguments: Rule.vocabularies) func `holds in all sources`(rule: Rule) {
        #expect(rule.findings.isEmpty, "\(rule.findings.listed)")
    }

    private static func layerFindings(_ file: SourceFile) -> [Finding] {
        let allowed = allowed[file.target ?? "", default: []].union(everywhere)
        return Import.all(in: file).filter { !allowed.contains($0.module) }
            .map { file.finding($0.line, "\(file.target ?? "") may not import \($0.module).") }
    }

    private static func imports(_ module: String, _ file: SourceFile) -> Bool {
        Import.all(in: file).contains { $0.module == module }
    }
}

extension Rule {
    fileprivate static let vocabularies = [
        vocabulary(
            of: "TidemarkStore",
            "does not use JSON or HTTP",
            broken: ["let a: JSONDocument", "URLRequest(url: a)", "func a() -> HTTPResponse"],
            kept: ["// JSONDocument", "let coder = JSONEncoder()", "case json(String)"]
        ) { line in
            words(["JSON", "HTTP", "URLRequest", "URLSession", "URLResponse"], in: line)
                .first { !["JSONEncoder", "JSONDecoder"].contains($0) }
        },
        vocabulary(
            of: "TidemarkImport",
            "does not use the network",
            broken: ["URLSession.shared", "let a: HTTPRequest", "let b: Service", "Remote(a)"],
            kept: ["// a URLSession", "let remoteKey: String", "let a: RemoteName"]
        ) { line in
            words(["HTTP", "URLRequest", "URLSession", "URLResponse"], in: line).first
                ?? ["Service", "Remote", "Transport"].first { Words.has($0, in: line) }
                .map { Substring($0) }
        },
        vocabulary(
            of: "TidemarkRemote",
            "does not use SQL",
            broken: ["let a: DatabaseQueue", "DatabaseError()", "sqlite3_open(a)", "let s: Store"],
            kept: ["// a Database", "let a: Service", "store.count"]
        ) { line in
            words(["Database", "sqlite3_", "SQL"], in: line).first
                ?? ["Store", "StoredRecord"].first { Words.has($0, in: line) }.map { Substring($0) }
        },
        presets,
    ]

    /// A rule that allows names of presets only in their files, in the command, which selects one,
    /// and in the fake service, which implements their dialects.
    private static let presets = lines(
        "Presets are named only in Services",
        in: .sources.except(
            "Sources/TidemarkRemote/Services/",
            "Sources/TidemarkCLI/",
            "Sources/TidemarkTesting/",
            "Sources/TidemarkFakeServices/",
            "Sources/TidemarkFakeServer/"
        ),
        broken: ["let a = Service.rest(url: b)", "Remote(.rails(url: a))", "case .kinto: a()"],
        kept: ["/// Service.rest(url: a)", "let a = service.restOf(b)", "parser.parse()"]
    ) { line in
        ["rest", "rails", "parse", "kinto", "jsonapi", "jsonAPI"]
            .first { name in
                line.contains(".\(name)")
                    && (line.contains("Service.\(name)") || isMember(name, in: line))
            }
            .map { "The preset \($0) is named outside of its file." }
    }

    private static func isMember(_ name: String, in line: String) -> Bool {
        [" ", "(", "["].contains { before in
            ["(", ":", ",", ")"].contains { line.contains("\(before).\(name)\($0)") }
        }
    }

    private static func words(_ prefixes: [String], in line: String) -> [Substring] {
        prefixes.flatMap { Words.beginning(with: $0, in: line) }
    }

    private static func vocabulary(
        of target: String,
        _ name: String,
        broken: [String],
        kept: [String],
        forbidden: @escaping @Sendable (String) -> Substring?
    ) -> Rule {
        lines(
            "\(target) \(name)",
            in: .target(target),
            broken: broken,
            kept: kept
        ) { line in
            line.contains("import ")
                ? nil : forbidden(line).map { "\(target) \(name), but this line has \($0)." }
        }
    }
}
