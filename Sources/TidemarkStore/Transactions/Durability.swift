/// Whether the commit of a transaction waits until the disk has stored it.
///
/// ```swift
/// try store.write(durability: .relaxed) { writer in
///     try writer.insert("Measurement", values: ["celsius": .double(21.5)])
/// }
/// ```
///
/// Either way a transaction is atomic, and survives a crash of the process. They differ in a power
/// failure or a crash of the operating system, and in speed: a full commit takes as long as the
/// disk needs to sync, typically milliseconds.
public enum Durability: Sendable {
    /// The commit survives a power failure (`PRAGMA synchronous = FULL`).
    ///
    /// It is the default of every write. On an app's own connection that has `EXTRA`, that setting
    /// is kept.
    case full

    /// The commit does not wait for the disk (`PRAGMA synchronous = NORMAL`).
    ///
    /// A power failure may roll it back together with later ones of its kind, until the next
    /// transaction that is committed with ``full``. Use this only for work that can be repeated. An
    /// import session applies its pages this way: its checkpoint is part of the same transaction,
    /// so a page that is rolled back is read again.
    case relaxed
}
