import Foundation
import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Android)
import Android
#endif

/// A file that is being written, until it is complete and gets its final name.
///
/// A lock prevents two processes from writing to it. The system releases the lock when the process
/// is killed.
final class PartialFile {
    /// The suffix of such files.
    static let suffix = ".part"

    /// The number of bytes that are copied at a time.
    static let chunkBytes = 1 << 20

    let name: String
    private let folder: AssetFolder
    private let handle: FileHandle

    /// The number of bytes that were written.
    private(set) var length = 0

    private var hash = ContentHash()

    /// The digest of the bytes that were written.
    var digest: [UInt8] { hash.digest }

    /// The digest in hexadecimal digits.
    var hexadecimal: String { hash.hexadecimal }

    private init(_ name: String, in folder: AssetFolder, _ handle: FileHandle) {
        self.name = name
        self.folder = folder
        self.handle = handle
    }

    /// Opens or creates a file, and locks it.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - folder: The folder, which exists.
    /// - Returns: The file; nil if another task or process is writing to it.
    /// - Throws: ``SyncError/Code/assetNotWritten``.
    static func create(_ name: String, in folder: AssetFolder) throws -> PartialFile? {
        let url = folder.url.appending(path: name)
        for _ in 0..<attempts {
            // A symbolic link could lead out of the folder.
            let descriptor = open(url.path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                throw SyncError.notWritten(url, because: String(cString: strerror(errno)))
            }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
            var (opened, named) = (stat(), stat())
            if fstat(descriptor, &opened) == 0, lstat(url.path, &named) == 0,
                opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
            {
                return PartialFile(name, in: folder, handle)
            }
            // Its name was changed before it was locked: it is complete now, and not to be changed.
        }
        return nil
    }

    private static let attempts = 3

    /// Reads the bytes that were written before.
    func resume() throws {
        try handle.seek(toOffset: 0)
        while let chunk = try handle.read(upToCount: Self.chunkBytes), !chunk.isEmpty {
            hash.update(chunk)
            length += chunk.count
        }
    }

    /// Removes the bytes that were written before.
    func restart() throws {
        try write { try handle.truncate(atOffset: 0) }
        length = 0
        hash = ContentHash()
    }

    func append(_ bytes: some DataProtocol & ContiguousBytes) throws {
        try write { try handle.write(contentsOf: bytes) }
        hash.update(bytes)
        length += bytes.count
    }

    /// Waits until the bytes are on disk.
    func synchronize() throws { try write { try handle.synchronize() } }

    /// Gives the complete file its final name.
    func complete(as name: AssetName) throws {
        let target = folder.location(of: name)
        guard rename(folder.url.appending(path: self.name).path, target.path) == 0 else {
            throw SyncError.notWritten(target, because: String(cString: strerror(errno)))
        }
        folder.synchronize()
    }

    func remove() { folder.remove(name) }

    private func write(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            let url = folder.url.appending(path: name)
            throw SyncError.notWritten(url, because: error.localizedDescription)
        }
    }
}
