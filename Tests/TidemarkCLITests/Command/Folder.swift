import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A new temporary folder in which commands are run, deleted when the test ends.
final class Folder: Sendable {
    let url: URL

    /// The time after which a running command is killed.
    private static let limit = DispatchTimeInterval.seconds(120)

    /// Limits the number of concurrent processes: with more of them, tests do not finish sooner.
    private static let semaphore = Semaphore(4)

    /// Serializes the start of processes, so that none inherits a file descriptor intended for
    /// another.
    private static let starting = NSLock()

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "tidemark-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that a test has made read-only remains, until the system deletes temporary
        // files.
        _ = Result { try FileManager.default.removeItem(at: url) }
    }

    // MARK: Files

    /// Returns the path of a file in the folder.
    func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file, and creates the folders of its path.
    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// Returns the names of the files in the folder, sorted.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    // MARK: Commands

    /// Runs `tidemark` in the folder.
    func run(
        _ arguments: String...,
        stdin: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(arguments, stdin: stdin, environment: environment)
    }

    /// Runs `tidemark` in the folder.
    func run(
        _ arguments: [String],
        stdin: String? = nil,
        environment: [String: String] = [:],
        whileRunning: @Sendable (RunningCommand) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await run(
            Tidemark.executable,
            arguments,
            stdin: stdin,
            environment: environment,
            whileRunning: whileRunning
        )
    }

    /// Runs a program in the folder, with a fixed set of environment variables and the given ones.
    ///
    /// `whileRunning` is called once the process has started. If it throws, the process is killed.
    func run(
        _ executable: URL,
        _ arguments: [String],
        stdin: String? = nil,
        environment: [String: String] = [:],
        whileRunning: @Sendable (RunningCommand) async throws -> Void = { _ in }
    ) async throws -> Outcome {
        try await Self.semaphore.use { [url] in
            let run = try Run(in: url, stdin: stdin)
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = url
            process.environment = Self.clean.merging(environment) { _, new in new }
            return try await run.outcome(
                of: process,
                limit: Self.limit,
                starting: Self.starting,
                whileRunning: whileRunning
            )
        }
    }

    private static let clean = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "HOME": FileManager.default.temporaryDirectory.path,
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "TZ": "Asia/Kathmandu",
    ]
}

/// A command that was started, and may have ended since.
struct RunningCommand: Sendable {
    let number: pid_t

    /// The file with its standard output.
    let output: URL

    /// Waits until the standard output contains a text.
    func prints(_ text: String) async throws {
        while !String(decoding: try Data(contentsOf: output), as: UTF8.self).contains(text) {
            await Task.yield()
        }
    }

    /// Sends a signal to the process.
    func send(_ signal: Int32) {
        _ = kill(number, signal)
    }
}

/// The files that serve as standard input, output and error of one process.
///
/// Unlike a pipe, a file never fills up, and its end does not depend on descriptors that other
/// processes inherit.
private struct Run {
    private let folder: URL
    private let stdin: FileHandle
    private let stdout: FileHandle
    private let stderr: FileHandle

    init(in directory: URL, stdin text: String?) throws {
        folder = directory.deletingLastPathComponent().appending(
            path: "tidemark-run-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data((text ?? "").utf8).write(to: folder.appending(path: "in"))
        stdin = try FileHandle(forReadingFrom: folder.appending(path: "in"))
        stdout = try Self.output(folder.appending(path: "out"))
        stderr = try Self.output(folder.appending(path: "err"))
    }

    private static func output(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    func outcome(
        of process: Process,
        limit: DispatchTimeInterval,
        starting: NSLock,
        whileRunning: (RunningCommand) async throws -> Void
    ) async throws -> Outcome {
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        let (ends, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended in
            end.yield(
                ended.terminationReason == .uncaughtSignal
                    ? 128 + ended.terminationStatus : ended.terminationStatus
            )
            end.finish()
        }
        try starting.withLock { try process.run() }
        let number = process.processIdentifier
        let killItem = DispatchWorkItem { _ = kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: killItem)
        do {
            try await whileRunning(
                RunningCommand(number: number, output: folder.appending(path: "out"))
            )
        } catch {
            _ = kill(number, SIGKILL)
            throw error
        }
        let status = await ends.first { _ in true } ?? -1
        killItem.cancel()
        return try outcome(status)
    }

    private func outcome(_ status: Int32) throws -> Outcome {
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        for handle in [stdin, stdout, stderr] { try handle.close() }
        return Outcome(status: status, stdout: try text("out"), stderr: try text("err"))
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }
}
