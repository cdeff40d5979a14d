import Foundation
import TidemarkModel
import TidemarkStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// The folder with the files that the rows of a store refer to.
///
/// Files are named after their content, so that none is ever overwritten with another one, and a
/// file that two rows refer to is stored once.
struct AssetFolder: Hashable, Sendable {
    /// The folder, which may not exist yet.
    let url: URL

    init(_ url: URL) { self.url = url }

    /// Creates the folder next to the file of a store; nil if the store has no file of its own.
    init?(of store: Store) {
        guard let path = store.ownPath else { return nil }
        url = URL(fileURLWithPath: path + ".assets")
    }

    /// Returns the location of a file.
    func location(of name: AssetName) -> URL { url.appending(path: name.fileName) }

    /// Returns the size of a file in bytes; nil if it does not exist.
    func size(of name: AssetName) -> Int? { size(ofFileNamed: name.fileName) }

    private func size(ofFileNamed name: String) -> Int? {
        var status = stat()
        guard lstat(url.appending(path: name).path, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Reads a file.
    ///
    /// - Returns: Its content; nil if it is not that of the name: another program has changed the
    ///   file, or the disk has.
    func bytes(of name: AssetName) throws -> [UInt8]? {
        let bytes = Array(try Data(contentsOf: location(of: name)))
        var hash = ContentHash()
        hash.update(bytes)
        return hash.hexadecimal == name.digest ? bytes : nil
    }

    /// Creates the folder, which only its owner can read.
    func create() throws {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SyncError.notWritten(url, because: error.localizedDescription)
        }
    }

    /// Waits until the names of files are on disk.
    func synchronize() {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // A file system that cannot synchronize a folder does it by itself.
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// The names and sizes of all files.
    func contents() throws -> [String: Int] {
        let path = url.path
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return Dictionary(
            names.compactMap { name in size(ofFileNamed: name).map { (name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Deletes a file; it may have been deleted by another process.
    func remove(_ name: String) { unlink(url.appending(path: name).path) }
}
