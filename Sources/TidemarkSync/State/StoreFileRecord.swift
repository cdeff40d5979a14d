import Foundation
import GRDB
import TidemarkModel

/// What distinguishes a store from its copies, and from restored backups: `_tidemark_file`.
///
/// Two files with the same outbox would create the same objects. So each run draws a random number,
/// and records it in the store and in a file of the user's state folder. A copy does not have the
/// number that another one has drawn since.
struct StoreFileRecord: Sendable {
    /// The name of the file in the state folder: the identifier of the store.
    let name: String

    /// The number that this run has drawn.
    let number: String

    /// Whether another file with the same identifier was used since this one.
    let isCopy: Bool

    /// The number of the last run, and the one before it.
    private struct Numbers {
        let last: String
        let before: String?
        let file: InodeIdentity
    }

    /// Draws a number for a run, and compares that of the last one with the state folder.
    ///
    /// - Parameters:
    ///   - db: The transaction. After its commit call ``write(to:)``.
    ///   - path: The path of the store's file; nil if it has none of its own.
    ///   - environment: Supplies numbers, the identity of the file, and the folder.
    /// - Returns: The number; nil if nothing is known outside of the store.
    /// - Throws: `DatabaseError`.
    static func renew(
        _ db: Database,
        at path: String?,
        in environment: SystemEnvironment
    ) throws -> StoreFileRecord? {
        guard let folder = environment.stateFolder, let path,
            let file = environment.fileIdentity(path)
        else { return nil }
        let row = try Row.fetchOne(db, sql: "SELECT * FROM _tidemark_file")
        let numbers = row.map { row in
            Numbers(
                last: row["number"],
                before: row["previous"],
                file: InodeIdentity(
                    inode: UInt64(bitPattern: row["inode"]),
                    created: row["created"]
                )
            )
        }
        // Another program may have written anything there, and the text becomes a path.
        let known = (row?["store"] as String?).flatMap { UUID(uuidString: $0) }
        let name = (known ?? environment.uuid()).uuidString.lowercased()
        var (isCopy, previous) = (false, numbers?.last)
        switch folder.read(name) {
        case .unreadable: return nil
        case .absent: isCopy = numbers.map { $0.file != file } ?? false
        case .text(let outside) where outside == numbers?.last: break
        case .text(let outside) where outside == numbers?.before:
            // The last run could not write the number, and this one may not either.
            previous = outside
        case .text: isCopy = true
        }
        let number = environment.uuid().uuidString.lowercased()
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO _tidemark_file \
                (_id, store, number, previous, inode, created) VALUES (1, ?, ?, ?, ?, ?)
                """,
            arguments: [
                name, number, previous, Int64(bitPattern: file.inode), file.created,
            ]
        )
        return StoreFileRecord(name: name, number: number, isCopy: isCopy)
    }

    /// Writes the number into the state folder.
    ///
    /// It may fail: the next run then finds the number before it.
    func write(to folder: StateFolder?) { try? folder?.write(name, number) }
}
