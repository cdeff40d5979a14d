import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The configurations that the user has reviewed and trusts with environment variables.
///
/// Each entry has the path of a configuration and the digest of its contents at that time. A file
/// that has changed since, or a different file at the same path, is not trusted. The entries are
/// stored in a file of the user, one per line.
struct TrustedFiles {
    private let path: String

    /// Whether a subject is trusted, has changed since it was trusted, or is not listed.
    enum Status: String, Encodable {
        case trusted, changed, unknown
    }

    private struct Entry {
        var digest: String
        var path: String
    }

    private static let sizeLimit = 1 << 20

    /// Opens the user's list: `tidemark/trusted` in `XDG_CONFIG_HOME`, or in `~/.config` if that
    /// variable is not set.
    ///
    /// - Throws: ``Failure`` if neither `XDG_CONFIG_HOME` nor `HOME` is an absolute path.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = folder ?? home.map({ "\($0)/.config" }) else {
            throw Failure(
                .usage,
                "The list of trusted files has no folder. Set HOME or XDG_CONFIG_HOME."
            )
        }
        path = "\(folder)/tidemark/trusted"
    }

    /// Returns whether a subject is trusted.
    func status(of subject: TrustSubject) throws -> Status {
        guard let entry = try entries().last(where: { $0.path == subject.identity }) else {
            return .unknown
        }
        return entry.digest == subject.digest ? .trusted : .changed
    }

    /// Trusts a subject with its current contents.
    func trust(_ subject: TrustSubject) throws {
        guard !subject.identity.contains(where: \.isNewline) else {
            throw Failure(
                .data,
                "The path of this file has a line break, so that it cannot be listed."
            )
        }
        try locked {
            let others = try entries().filter { $0.path != subject.identity }
            try write(others + [Entry(digest: subject.digest, path: subject.identity)])
        }
    }

    /// Removes the entries of a subject, and returns whether there were any.
    func revoke(_ subject: TrustSubject) throws -> Bool {
        try locked {
            let all = try entries()
            let others = all.filter { !subject.revokes($0.path) }
            guard others.count < all.count else { return false }
            try write(others)
            return true
        }
    }

    // MARK: The list

    /// Returns the entries of the list.
    ///
    /// - Throws: ``Failure`` if the list is not a regular file of the user, or is writable by
    ///   others: another user could have added entries.
    private func entries() throws -> [Entry] {
        guard let attributes = try attributes() else { return [] }
        let rights = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw Failure(
                .notAllowed,
                "\(path) is not a regular file, so nothing is trusted. Remove it."
            )
        }
        guard rights & 0o022 == 0, owner == Self.user else {
            throw Failure(
                .notAllowed,
                "Others can write to \(path), so nothing is trusted. Remove the file, and trust again."
            )
        }
        let text = try TextFile.read(path, limit: Self.sizeLimit) {
            Failure(.notFound, "\(path) was removed meanwhile. Try again.")
        }
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? Entry(digest: parts[0], path: parts[1]) : nil
        }
    }

    /// Returns the attributes of the list itself, without following a symbolic link; nil if the
    /// file does not exist.
    private func attributes() throws -> [FileAttributeKey: Any]? {
        do {
            return try FileManager.default.attributesOfItem(atPath: path)
        } catch let error as CocoaError
            where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
        {
            return nil
        }
    }

    /// Runs a closure that reads the list and writes it back, while no other process does so.
    ///
    /// The lock is on the folder because each change replaces the list with a new file. The system
    /// releases the lock when the process ends, even if it is killed.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(.notAllowed, "The folder \(folder.path) cannot be read.")
        }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw Failure(.inputOutput, "The folder \(folder.path) cannot be locked.")
            }
        }
        return try body()
    }

    /// Replaces the list atomically with a file that only its owner can read.
    private func write(_ entries: [Entry]) throws {
        let text = entries.map { "\($0.digest) \($0.path)\n" }.joined()
        // Writing in place could leave a truncated list after a crash, and would follow a link.
        let draft = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        guard
            FileManager.default.createFile(
                atPath: draft,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            ), rename(draft, path) == 0
        else {
            throw Failure(
                .cannotCreate,
                "\(path) cannot be written. Look at the rights of its folder."
            )
        }
    }

    private static var user: UInt32 { getuid() }
}
