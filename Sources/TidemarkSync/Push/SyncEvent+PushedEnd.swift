import GRDB
import TidemarkModel
import TidemarkStore

extension SyncEvent {
    /// Creates the event of an outcome; nil for one that has none.
    ///
    /// - Parameters:
    ///   - end: The outcome, which is recorded already.
    ///   - change: The change that was sent.
    ///   - db: The connection of the transaction that has recorded the outcome.
    ///   - store: The store.
    /// - Throws: `DatabaseError`.
    init?(
        _ end: PushedEnd,
        of change: CapturedChange,
        _ db: Database,
        in store: Store
    ) throws {
        switch end {
        case .acknowledged: self = .pushed(row: change.row, kind: change.kind)
        case .adopted:
            let reader = try StoreReader.prepare(db, in: store)
            let entity = try store.layout.entity(change.row.entity)
            let key = try reader.key(of: change.row.number, entity)
            guard let key else { return nil }
            self = .adopted(row: change.row, key: RecordKey(key.parts))
        case .rejected, .duplicate, .uncertain, .contradicted, .intercepted:
            // Edits that came after the request are joined with it, and are sent next.
            let left = try Outbox(store).change(db, numbered: change.number)
            guard let left else { return nil }
            switch left.state {
            case .rejected: self = .rejected(left)
            case .uncertain: self = .uncertain(left)
            case .pending, .inFlight, .conflicted: return nil
            }
        case .overruled, .conflicted, .stale, .reference, .postponed, .stopped, .unreachable:
            return nil
        }
    }
}
