import TidemarkModel

/// The rows that a list names; used again for the next list, so that short ones allocate nothing.
final class Membership {
    /// The keys of rows that are not here, and their places.
    private(set) var missing: [[StoredValue]] = []
    private(set) var missingPlaces: [Int64] = []

    /// Whether all of the elements were objects.
    var isOfObjects = true

    /// The one behind this one among those that nobody uses.
    var nextFree: Membership?

    /// The rows, each once, in the order of the list, and the place of each in it.
    private let members: UnsafeMutablePointer<Members>

    private struct Members {
        var rows: [Int64] = []
        var places: [Int64] = []
        var known: Set<Int64> = []
    }

    init() {
        members = .allocate(capacity: 1)
        members.initialize(to: Members())
    }

    deinit {
        members.deinitialize(count: 1)
        members.deallocate()
    }

    var rows: [Int64] { members.pointee.rows }
    var places: [Int64] { members.pointee.places }

    func add(_ row: Int64, at place: Int) {
        // Most lists are short: looking through them is quicker than hashing.
        if members.pointee.rows.count < 16 {
            if members.pointee.rows.contains(row) { return }
        } else {
            if members.pointee.known.isEmpty {
                members.pointee.known.formUnion(members.pointee.rows)
            }
            guard members.pointee.known.insert(row).inserted else { return }
        }
        members.pointee.rows.append(row)
        members.pointee.places.append(Int64(place))
    }

    func addMissing(_ key: [StoredValue], at place: Int) {
        missing.append(key)
        missingPlaces.append(Int64(place))
    }

    /// Forgets the list before.
    func clear() {
        members.pointee.rows.removeAll(keepingCapacity: true)
        members.pointee.places.removeAll(keepingCapacity: true)
        if !members.pointee.known.isEmpty { members.pointee.known.removeAll() }
        if !missing.isEmpty {
            missing.removeAll()
            missingPlaces.removeAll()
        }
        isOfObjects = true
    }
}
