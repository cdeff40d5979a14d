import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension StateFolder {
    /// The folder `tidemark` among those in which programs remember their state.
    ///
    /// `$XDG_STATE_HOME`, or `~/.local/state` (XDG Base Directory Specification 0.8); on Apple
    /// platforms the folder for application support. Nil if the user has none.
    static var live: StateFolder? {
        livePath.map(inFolder)
    }

    /// Returns the texts in a folder, which is created when one is written.
    static func inFolder(_ path: String) -> StateFolder {
        StateFolder(
            read: { name in
                do {
                    return .text(try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8))
                } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
                    return .absent
                } catch {
                    return .unreadable
                }
            },
            write: { name, text in try write(text, to: name, in: path) }
        )
    }

    private static var livePath: String? {
        #if canImport(Darwin)
        let folders = FileManager.default
            .urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return folders.first?.appending(path: "tidemark").path
        #else
        let variables = ProcessInfo.processInfo.environment
        // A relative path has to be ignored.
        if let folder = variables["XDG_STATE_HOME"], folder.hasPrefix("/") {
            return "\(folder)/tidemark"
        }
        guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/tidemark"
        #endif
    }

    /// Writes a file that only the user can read, under another name first.
    private static func write(_ text: String, to name: String, in folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let path = "\(folder)/\(name)"
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw lastError }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes = bytes.dropFirst(count)
        }
        var failure = bytes.isEmpty && fsync(descriptor) == 0 ? nil : lastError
        close(descriptor)
        if failure == nil, rename(temporary, path) != 0 { failure = lastError }
        if let failure {
            unlink(temporary)
            throw failure
        }
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
