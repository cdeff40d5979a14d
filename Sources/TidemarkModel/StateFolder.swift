/// A folder of the user's with small texts, each in a file of its own.
package struct StateFolder: Sendable {
    /// What is known about a text.
    package enum Content: Hashable, Sendable {
        case text(String)
        /// It does not exist.
        case absent
        /// It may exist, and could not be read.
        case unreadable
    }

    /// Returns the text with a name.
    package var read: @Sendable (_ name: String) -> Content

    /// Writes a text, durably: after an error or a power failure the former one is there.
    ///
    /// It throws if the folder cannot be written, or the disk is full.
    package var write: @Sendable (_ name: String, _ text: String) throws -> Void

    package init(
        read: @escaping @Sendable (String) -> Content,
        write: @escaping @Sendable (String, String) throws -> Void
    ) {
        self.read = read
        self.write = write
    }
}
