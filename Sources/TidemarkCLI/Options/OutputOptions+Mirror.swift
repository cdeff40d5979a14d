import TidemarkStore
import TidemarkSync

extension OutputOptions {
    /// Prints a remark if a store mirrors a service, and does not record local changes: a pull may
    /// overwrite what was just written.
    ///
    /// - Throws: `DatabaseError`.
    func logMirror(_ store: Store) throws {
        guard !quiet, let service = try store.mirroredService(),
            try !store.read({ reader in try reader.recordsLocalChanges })
        else { return }
        Console.log(
            "The store mirrors \(service): the change is not sent there, and the next pull may undo it."
        )
    }
}
