// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The libraries and their tests. The folder `Command` contains the same package, this manifest
// included, as symbolic links: opened there, it has the command, its servers and all tests as well,
// and their dependencies, which an app does not download.
let hasCommand = Context.packageDirectory.hasSuffix("/Command")

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let httpTypesFoundation = Target.Dependency.product(
    name: "HTTPTypesFoundation",
    package: "swift-http-types"
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
func swiftSyntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}
func tracing(_ product: String) -> Target.Dependency {
    let package = "swift-distributed-tracing"
    return .product(name: product, package: package, condition: .when(traits: ["Tracing"]))
}
// The default isolation of a new app of Xcode.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let package = Package(
    name: "tidemark",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "Tidemark", targets: ["Tidemark"]),
        .library(name: "TidemarkSync", targets: ["TidemarkSync"]),
        .library(name: "TidemarkImport", targets: ["TidemarkImport"]),
        .library(name: "TidemarkCoreData", targets: ["TidemarkCoreData"]),
        .library(name: "TidemarkURLSession", targets: ["TidemarkURLSession"]),
        .library(name: "TidemarkHTTPClient", targets: ["TidemarkHTTPClient"]),
        .library(name: "TidemarkTesting", targets: ["TidemarkTesting"]),
        .library(name: "TidemarkMacros", targets: ["TidemarkMacros"]),
    ],
    traits: [
        .trait(name: "Tracing", description: "Spans of swift-distributed-tracing around a pull."),
        .trait(
            name: "AsyncHTTPClient",
            description: "The HTTP transport of TidemarkHTTPClient, for servers."
        ),
        .trait(name: "Macros", description: "The macro @Entity of TidemarkMacros."),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.10.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.10.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
    ],
    targets: [
        // Layer 0: JSON, models and values. No I/O, no dependencies.
        .target(name: "TidemarkJSON"),
        .target(name: "TidemarkModel", dependencies: ["TidemarkJSON"]),

        // Layer 1: the database, and HTTP. Neither depends on the other.
        .target(
            name: "TidemarkStore",
            dependencies: ["TidemarkJSON", "TidemarkModel", grdb, grdbSQLite]
        ),
        .target(
            name: "TidemarkRemote",
            dependencies: ["TidemarkJSON", "TidemarkModel", httpTypes]
        ),

        // Layer 2: JSON documents into rows. No network.
        .target(
            name: "TidemarkImport",
            dependencies: ["TidemarkJSON", "TidemarkModel", "TidemarkStore", grdb]
        ),

        // Layer 3: the sync engine.
        .target(
            name: "TidemarkSync",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkRemote", grdb, httpTypes, logging, metrics, tracing("Tracing"),
            ]
        ),

        // Layer 4: re-exports the libraries, and URLSession.
        .target(
            name: "Tidemark",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkRemote", "TidemarkSync", "TidemarkURLSession", grdb,
            ]
        ),

        // Edges: each exists because of one dependency, or because an app does not need it.
        .target(name: "TidemarkCoreData", dependencies: ["TidemarkModel"]),
        .target(name: "TidemarkInference", dependencies: ["TidemarkJSON", "TidemarkModel"]),
        .target(
            name: "TidemarkURLSession",
            dependencies: ["TidemarkModel", "TidemarkRemote", httpTypes, httpTypesFoundation]
        ),
        .target(
            name: "TidemarkHTTPClient",
            dependencies: [
                "TidemarkModel", "TidemarkRemote", httpTypes,
                .product(
                    name: "AsyncHTTPClient",
                    package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])
                ),
            ]
        ),
        // Every product of swift-syntax has the condition: otherwise an app would download it. A
        // test must not depend on the plugin, because all tests would be built for the compiler.
        .target(
            name: "TidemarkMacroExpansion",
            dependencies: [
                swiftSyntax("SwiftDiagnostics"), swiftSyntax("SwiftSyntax"),
                swiftSyntax("SwiftSyntaxMacros"),
            ]
        ),
        .macro(
            name: "TidemarkMacroPlugin",
            dependencies: [
                "TidemarkMacroExpansion", swiftSyntax("SwiftCompilerPlugin"),
                swiftSyntax("SwiftSyntaxMacros"),
            ]
        ),
        .target(
            name: "TidemarkMacros",
            dependencies: ["TidemarkModel", "TidemarkStore", "TidemarkMacroPlugin"]
        ),
        .target(
            name: "TidemarkTesting",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkRemote", grdb, httpTypes,
            ]
        ),
        // The dialects of further services, for the tests of this package. An app that tests with
        // TidemarkTesting does not link them, and they do not link a server.
        .target(
            name: "TidemarkFakeServices",
            dependencies: ["TidemarkJSON", "TidemarkModel", "TidemarkTesting", httpTypes]
        ),
        .target(
            name: "TidemarkTestSupport",
            dependencies: ["TidemarkJSON", "TidemarkModel", "TidemarkStore", grdb],
            path: "Tests/TidemarkTestSupport"
        ),
        .testTarget(
            name: "TidemarkJSONTests",
            dependencies: ["TidemarkJSON", "TidemarkTestSupport"]
        ),
        .testTarget(
            name: "TidemarkModelTests",
            dependencies: ["TidemarkJSON", "TidemarkModel", "TidemarkTestSupport"]
        ),
        .testTarget(
            name: "TidemarkCoreDataTests",
            dependencies: [
                "TidemarkModel", "TidemarkCoreData", "TidemarkInference", "TidemarkTestSupport",
            ]
        ),
        .testTarget(
            name: "TidemarkInferenceTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkInference", "TidemarkTestSupport",
            ]
        ),
        .testTarget(
            name: "TidemarkStoreTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkTesting", "TidemarkTestSupport", grdb,
            ]
        ),
        .testTarget(
            name: "TidemarkImportTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkInference", "TidemarkTesting", "TidemarkTestSupport", grdb,
            ]
        ),
        .testTarget(
            name: "TidemarkRemoteTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkRemote", "TidemarkTesting",
                "TidemarkTestSupport", httpTypes,
            ]
        ),
        .testTarget(
            name: "TidemarkTestingTests",
            dependencies: [
                "TidemarkModel", "TidemarkRemote", "TidemarkTesting", "TidemarkFakeServices",
                "TidemarkTestSupport", httpTypes,
            ]
        ),
        .testTarget(
            name: "TidemarkTests",
            dependencies: ["Tidemark", "TidemarkTesting", "TidemarkTestSupport", grdb, httpTypes]
        ),
        .testTarget(
            name: "TidemarkURLSessionTests",
            dependencies: ["TidemarkModel", "TidemarkRemote", "TidemarkURLSession", httpTypes]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if hasCommand {
    let yams = Target.Dependency.product(name: "Yams", package: "Yams")
    package.products.append(.executable(name: "tidemark", targets: ["TidemarkCLI"]))
    package.traits.insert(.default(enabledTraits: ["Tracing", "AsyncHTTPClient", "Macros"]))
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ]
    package.targets += [
        .target(
            name: "TidemarkFakeServer",
            dependencies: [
                "TidemarkModel", "TidemarkRemote", "TidemarkTesting", httpTypes, logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            resources: [.embedInCode("StarWars")]
        ),
        .target(
            name: "TidemarkYAML",
            dependencies: ["TidemarkModel", "TidemarkInference", yams]
        ),
        .executableTarget(
            name: "TidemarkCLI",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkRemote", "TidemarkSync", "TidemarkCoreData", "TidemarkInference",
                "TidemarkYAML", "TidemarkHTTPClient", "TidemarkTesting", "TidemarkFakeServer",
                grdb, httpTypes, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "TidemarkSyncTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkRemote", "TidemarkSync", "TidemarkTesting", "TidemarkFakeServices",
                "TidemarkFakeServer", "TidemarkURLSession", "TidemarkHTTPClient",
                "TidemarkTestSupport", grdb, grdbSQLite, httpTypes, logging, metrics,
                .product(name: "MetricsTestKit", package: "swift-metrics"), tracing("Tracing"),
                tracing("InMemoryTracing"),
            ]
        ),
        .testTarget(
            name: "TidemarkHTTPClientTests",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkRemote", "TidemarkSync",
                "TidemarkURLSession", "TidemarkHTTPClient", "TidemarkTesting",
                "TidemarkFakeServices", "TidemarkFakeServer", "TidemarkTestSupport", httpTypes,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]
        ),
        // What the command writes for the models of GeneratedEntityTests, without macros.
        .target(
            name: "PlainEntities",
            dependencies: ["Tidemark"],
            path: "Tests/PlainEntities",
            swiftSettings: mainActor
        ),
        .testTarget(
            name: "MainActorTests",
            dependencies: ["Tidemark", "TidemarkMacros"],
            packageAccess: false,
            swiftSettings: mainActor
        ),
        .testTarget(
            name: "GeneratedEntityTests",
            dependencies: [
                "Tidemark", "TidemarkModel", "TidemarkStore", "TidemarkMacros", "TidemarkCoreData",
                "TidemarkInference", "TidemarkYAML", "TidemarkTestSupport", "PlainEntities",
            ],
            exclude: ["Models"]
        ),
        .testTarget(
            name: "EntityMacroTests",
            dependencies: [
                "TidemarkModel", "TidemarkStore", "TidemarkMacros", "TidemarkMacroExpansion",
                "TidemarkTestSupport",
                swiftSyntax("SwiftDiagnostics"), swiftSyntax("SwiftParser"),
                swiftSyntax("SwiftSyntax"), swiftSyntax("SwiftSyntaxBuilder"),
                swiftSyntax("SwiftSyntaxMacroExpansion"), swiftSyntax("SwiftSyntaxMacros"),
            ]
        ),
        .testTarget(
            name: "TidemarkYAMLTests",
            dependencies: ["TidemarkModel", "TidemarkTestSupport", "TidemarkYAML"]
        ),
        .testTarget(
            name: "TidemarkCLITests",
            dependencies: [
                "TidemarkCLI", "TidemarkJSON", "TidemarkModel", "TidemarkRemote", "TidemarkSync",
                "TidemarkYAML", "TidemarkTesting", "TidemarkFakeServices", "TidemarkFakeServer",
                "TidemarkStore", "TidemarkImport", "TidemarkTestSupport", grdb, httpTypes,
            ]
        ),
        // The rules about the source text, and the examples of documentation comments, which are
        // code of an app: they have no access to what is `package`.
        .executableTarget(name: "Tidy", path: "Tests/Tidy"),
        .testTarget(name: "TidyTests", dependencies: ["Tidy"]),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Tidemark", "TidemarkCoreData", "TidemarkHTTPClient", "TidemarkMacros",
                "TidemarkTesting", grdb, httpTypes, logging,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            packageAccess: false
        ),
        // The code of the guides, which is code of an app, too.
        .target(
            name: "GuideSupport",
            dependencies: ["TidemarkTesting", "TidemarkFakeServer", "TidemarkFakeServices"],
            path: "Tests/GuideSupport"
        ),
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "Tidemark", "TidemarkCoreData", "TidemarkMacros", "TidemarkTesting",
                "TidemarkTestSupport", "GuideSupport", grdb,
            ],
            exclude: ["Predecessors/calls.json"],
            packageAccess: false
        ),
        // The targets of the fuzzer. Their tests run the inputs that it has found.
        .target(
            name: "TidemarkFuzzTargets",
            dependencies: [
                "TidemarkJSON", "TidemarkModel", "TidemarkStore", "TidemarkImport",
                "TidemarkRemote", "TidemarkCoreData", "TidemarkInference", "TidemarkYAML", grdb,
                httpTypes,
            ],
            path: "Fuzzing/Targets"
        ),
        .testTarget(name: "TidemarkFuzzTests", dependencies: ["TidemarkFuzzTargets"]),
    ]

    // The tests of names import Apple's frameworks. On other systems, these are aliases of modules
    // that list the names of their types: a module named Combine would be imported by GRDB and
    // Yams, too.
    let nameCollisionTests = Target.testTarget(
        name: "NameCollisionTests",
        dependencies: ["Tidemark", "TidemarkMacros", grdb, httpTypes]
    )
    package.targets.append(nameCollisionTests)
    #if !os(macOS)
    for framework in ["Combine", "CoreData", "RealityKit", "SwiftData", "SwiftUI"] {
        let names = "\(framework)Names"
        package.targets.append(.target(name: names, path: "Tests/AppleNames/\(framework)"))
        nameCollisionTests.dependencies.append(.byName(name: names))
        nameCollisionTests.swiftSettings =
            (nameCollisionTests.swiftSettings ?? []) + [
                .unsafeFlags(["-module-alias", "\(framework)=\(names)"])
            ]
    }
    #endif
}

// The fuzzer has no `main`: it links only with libFuzzer, as `scripts/fuzz` builds it.
if hasCommand, Context.environment["TIDEMARK_FUZZER"] != nil {
    package.targets.append(
        .executableTarget(
            name: "TidemarkFuzzer",
            dependencies: ["TidemarkFuzzTargets"],
            path: "Fuzzing/Fuzzer",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    )
}

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
        // An example may ignore a result, and declare what it does not use.
        + [
            target.name == "ExampleTests"
                ? .unsafeFlags(["-suppress-warnings"]) : .treatAllWarnings(as: .error)
        ]
}
