import TidemarkStore
import TidemarkSync

extension Console {
    /// Prints a note if the store mirrors a service: a pull may overwrite what was just written.
    ///
    /// - Throws: `DatabaseError`.
    static func noteMirror(_ store: Store, _ output: OutputOptions) throws {
        guard !output.quiet, let service = try store.mirroredService() else { return }
        note(
            "The store mirrors \(service): the change is not sent there, and the next pull may undo it."
        )
    }
}
