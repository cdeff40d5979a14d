import TidemarkStore

/// What an import knows about the rows of one table.
///
/// Most questions about a row can only be answered at the end of a transaction, when everything
/// that happened to the row is known: is it unchanged or updated, does the list still contain it,
/// may it be deleted? Until then, the import records what happens. Row numbers are kept in sets of
/// one bit for each row, so that memory hardly grows with the length of a document.
///
/// **While objects are imported**, each row that an object was found or inserted for becomes
/// ``seen``, and also ``firstSeen`` or ``seenAgain``. A row that must not be written, or whose
/// object was rejected, is ``untouched``. If the object is an item of the document itself, and not
/// nested in one, its row is among ``items``. A row of which only a list changed is ``relinked``; a
/// row that was moved to another entity, ``retyped``. An item that is a tombstone makes its row
/// ``reportedDeleted``. An object without a usable key sets ``hasUnidentifiedObject``.
///
/// **At the end of a list**, the rows that are not ``seen`` become ``unlisted``. They are deleted
/// unless ``hasUnidentifiedObject``, and so are the rows that are ``reportedDeleted``. A row that
/// is ``seen`` is never deleted by a cascade.
///
/// **In the report**, a row that was neither inserted nor updated counts as updated if it is
/// ``relinked``, and as unchanged if it is ``firstSeen`` and not ``untouched``. The app's hook is
/// called for rows that are ``relinked``, too. An item whose row is already among ``items`` is
/// reported as a repetition.
///
/// **Between the transactions of a session**, ``SeenRows`` stores what is ``seen``, the ``items``,
/// what is ``reportedDeleted`` and ``hasUnidentifiedObject``, and restores it in the next one, the
/// items as ``earlierItems``: an item whose row is among both has moved between pages. It also
/// restores which rows are ``pending``, from which ``PendingDeletion`` follows. The rows that are
/// ``firstSeen`` or ``seenAgain`` are those of the page (``PageRows``), and count as seen in other
/// open sessions.
final class TableProgress {
    /// The rows that the document, or the session so far, contains.
    let seen = RowSet()

    /// The rows that were first seen in this transaction.
    let firstSeen = RowSet()

    /// The rows seen in this transaction that had been seen before.
    let seenAgain = RowSet()

    /// The rows that must not be changed or whose changes were rejected.
    let untouched = RowSet()

    /// The rows of the items of this transaction.
    let items = RowSet()

    /// The rows of the items of the session's earlier transactions.
    let earlierItems = RowSet()

    /// The rows of which only links have changed.
    let relinked = RowSet()

    /// The rows that were moved to another entity, by the index of their previous one.
    var retyped: [Int: RowSet] = [:]

    /// The rows that the list does not contain.
    var unlisted: [Int64] = []

    /// The rows whose objects the service reported as deleted.
    var reportedDeleted = RowSet()

    /// The rows whose deletion awaits approval.
    let pending = RowSet()

    /// Whether the document has an object without a usable key, which may be any row of the table.
    ///
    /// None of the rows is known to be deleted then.
    var hasUnidentifiedObject = false

    /// Records that the document contains a row.
    func insertSeen(_ row: Int64) {
        if seen.insert(row) { firstSeen.insert(row) } else { seenAgain.insert(row) }
    }

    /// The number of items of this transaction that the session had received before.
    var repeatedItemCount: Int { items.rows.count(where: earlierItems.contains) }
}
