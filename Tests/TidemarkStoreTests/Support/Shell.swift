import Foundation
import TidemarkTestSupport

/// The `sqlite3` shell.
enum Shell {
    private static let executable = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { "\($0)/sqlite3" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isAvailable: Bool { executable != nil }

    /// Returns the output of the shell for some statements.
    static func run(_ path: String, _ sql: String) throws -> String {
        try run(["-batch", "-noheader", "-list", path, sql], reading: nil)
    }

    /// Runs a script: statements that end with a semicolon, of which those that fail are skipped.
    ///
    /// - Returns: The messages of the shell.
    @discardableResult
    static func run(_ path: String, script: [String], in folder: borrowing Folder) throws -> String
    {
        let file = folder.filePath("script.sql")
        try Data(script.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        let input = try FileHandle(forReadingFrom: URL(filePath: file))
        return try run(["-batch", path], reading: input)
    }

    private static func run(_ arguments: [String], reading input: FileHandle?) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: executable ?? "")
        process.arguments = arguments
        if let input { process.standardInput = input }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
