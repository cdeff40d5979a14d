import GRDB
import TidemarkModel
public import TidemarkStore

public import struct Foundation.Date

/// The local changes of one entity in one state that the service does not have yet.
///
/// They are in ``LocalChangeSummary/unpushed``. The changes themselves are in
/// the ``Outbox``.
///
/// ```swift
/// for changes in try SyncStatus.of(store).localChanges.unpushed where changes.state == .rejected {
///     print("\(changes.count) changes of \(changes.entity) need your attention.")
/// }
/// ```
public struct UnpushedChanges: Sendable, Hashable {
    /// The entity of the rows.
    public let entity: String

    /// The state of the changes.
    public let state: LocalChangeState

    /// Their number.
    public internal(set) var count: Int

    /// When a push has first found the oldest of them; nil if no push has found any yet.
    public let oldest: Date?

    /// When the first of them may be sent again; nil if one may be sent by the next push.
    public internal(set) var nextAttempt: Date?

    /// The first time of changes that were all postponed.
    private static let nextAttempt =
        "CASE WHEN count(nextAttempt) = count(*) THEN min(nextAttempt) END"

    /// Reads the changes of a store, sorted by entity and state.
    ///
    /// - Parameters:
    ///   - db: A connection, which may be read-only.
    ///   - store: The store.
    /// - Returns: The changes; none if the store records no local changes.
    /// - Throws: `DatabaseError`.
    static func of(_ db: Database, in store: Store) throws -> [UnpushedChanges] {
        guard try Capture.isInstalled(db) else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT entity, state, count(*), min(since), \(nextAttempt) \
                FROM _tidemark_change LEFT JOIN _tidemark_request ON change = _id \
                GROUP BY entity, state ORDER BY entity, state
                """
        )
        var changes = rows.compactMap { row in
            LocalChangeState(rawValue: row[1]).map { state in
                UnpushedChanges(
                    entity: row[0],
                    state: state,
                    count: row[2],
                    oldest: (row[3] as Double?).map(Date.init(timeIntervalSince1970:)),
                    nextAttempt: (row[4] as Double?).map(Date.init(timeIntervalSince1970:))
                )
            }
        }
        let created = try StoreReader.prepare(db, in: store).uncollectedCreations()
        for (entity, rows) in Dictionary(grouping: created, by: \.row.entity)
            .sorted(by: { $0.key < $1.key })
        {
            if let index = changes.firstIndex(where: {
                $0.entity == entity && $0.state == .pending
            }) {
                changes[index].count += rows.count
                changes[index].nextAttempt = nil
            } else {
                changes.append(
                    UnpushedChanges(
                        entity: entity,
                        state: .pending,
                        count: rows.count,
                        oldest: nil,
                        nextAttempt: nil
                    )
                )
            }
        }
        return changes
    }
}
