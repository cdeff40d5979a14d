// swift-tools-version: 6.2
import PackageDescription

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tidemark", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    ],
    targets: [
        // Generates the documents.
        .executableTarget(name: "Generate"),

        // The minimum work of an import, written by hand with SQLite's C interface.
        .executableTarget(name: "Floor", dependencies: [sqlite]),

        // The import that an app would write with Codable and GRDB.
        .executableTarget(name: "CodableImport", dependencies: [grdb]),

        // Tidemark called as a library.
        .executableTarget(
            name: "LibraryImport",
            dependencies: [.product(name: "TidemarkImport", package: "tidemark"), grdb]
        ),

        // Typed records and live results, next to GRDB alone.
        .executableTarget(
            name: "Records",
            dependencies: [
                .product(name: "TidemarkImport", package: "tidemark"),
                .product(name: "TidemarkSync", package: "tidemark"), grdb,
            ]
        ),

        // The requests of a push, without everything else that a push does.
        .executableTarget(
            name: "PushFloor",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
