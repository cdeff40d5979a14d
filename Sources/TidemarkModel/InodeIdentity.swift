/// What identifies a file, however it is named: a copy has another identity.
package struct InodeIdentity: Hashable, Sendable {
    /// The number of the file in its file system.
    package var inode: UInt64

    /// When the file was created, in nanoseconds since 1970; 0 if the file system does not record
    /// it.
    ///
    /// The number of a deleted file is used again.
    package var created: Int64

    package init(inode: UInt64, created: Int64) {
        self.inode = inode
        self.created = created
    }
}
