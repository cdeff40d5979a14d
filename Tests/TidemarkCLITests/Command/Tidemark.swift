import Foundation

/// The built `tidemark` command.
enum Tidemark {
    /// The executable, which is built into the folder of the test bundle.
    static let executable: URL = {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let folders =
            bundles.map { $0.deletingLastPathComponent() }
            + [Bundle.main.bundleURL, package.appending(path: "Command/.build/debug")]
        return folders.map { $0.appending(path: "tidemark") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? package.appending(path: "Command/.build/debug/tidemark")
    }()

    /// The folder of the package.
    static let package = URL(filePath: #filePath).resolvingSymlinksInPath()
        .appending(path: "../../../..").standardizedFileURL

    /// All verbs; those of `tidemark model` and `tidemark deletions` as two words.
    static let verbs = [
        "demo", "pull", "push", "sync", "outbox list", "outbox adopt", "outbox show",
        "outbox retry",
        "outbox discard",
        "outbox add",
        "conflicts list", "conflicts show", "conflicts resolve", "conflicts export", "status",
        "verify", "deletions list",
        "deletions approve", "deletions reject",
        "unlock", "trust", "import", "export", "query", "get", "count", "dump", "insert", "update",
        "delete", "erase", "migrate", "model show", "model check", "model infer",
        "model generate",
    ]
}
