import GRDB
import TidemarkModel
import TidemarkStore

import struct Foundation.Date

/// Merges the objects of the service into rows with local changes that were not pushed.
///
/// An import has one only if there are such rows, so that others pay nothing.
final class ConflictResolver {
    let unpushed: UnpushedRows

    /// The keys that the service has of rows whose keys were changed here.
    let keys: ServiceKeys

    let policies: ConflictPolicies
    let log: ConflictLog

    /// The time of the conflicts; nil for the present one.
    let time: Date?

    /// Where the objects come from.
    let source: ObjectSource

    /// What new objects have at the service without having been sent it.
    let defaults: ObservedDefaults

    /// The changes of which an object has shown that the service has kept its own values.
    var notTaken: [NotTakenChange] = []

    /// The rows whose objects are what the service has made of their own changes.
    ///
    /// What was changed after the request was sent is newer.
    var acknowledged: Set<MergedRow>

    /// The merges of objects without a key that are being imported, by the import of the object
    /// that contains them.
    var parts: [ObjectIdentifier: PartsMerge] = [:]

    /// A row, by the index of its table.
    struct MergedRow: Hashable {
        let table: Int
        let number: Int64
    }

    /// Returns whether the object of a row is what the service has made of its own change.
    func isAnswered(_ row: Int64, in table: Int) -> Bool {
        acknowledged.contains(MergedRow(table: table, number: row))
    }

    init(
        _ unpushed: UnpushedRows,
        keys: ServiceKeys,
        policies: ConflictPolicies,
        log: ConflictLog,
        time: Date?,
        source: ObjectSource,
        defaults: ObservedDefaults
    ) {
        self.unpushed = unpushed
        self.keys = keys
        self.policies = policies
        self.log = log
        self.time = time
        self.source = source
        self.defaults = defaults
        if case .response(let row) = source { acknowledged = [row] } else { acknowledged = [] }
    }
}

/// Where the objects of the service come from that an import merges.
enum ObjectSource: Hashable {
    /// A list, which may lag behind what was sent.
    case list

    /// The response to a change of a row, which may contain the object before the change.
    case response(ConflictResolver.MergedRow)

    /// The object was read by its key.
    case object
}
