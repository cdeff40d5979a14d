import TidemarkModel
import TidemarkRemote

/// What follows when a list was read to its end.
extension PullStateMachine {
    // MARK: The end of a list

    mutating func finish() -> Action? {
        // Where objects are counted, their number shows whether the newest was deleted.
        guard areChangesWhole || resource.style.count != .none else { return doubtChanges() }
        if lacksObjects, let total = walk.total, walk.number == 1 || attempt == Self.attempts {
            guard walk.leg.since == nil else { return doubtChanges() }
            if walk.number == 1 || isSteady {
                leavePlace()
                return end(.incomplete(items: walk.items, total: total))
            }
        }
        guard !isSteady else {
            return lacksObjects
                ? begin(anew: false) : close(isSweeping ? .unnamed : .nothing)
        }
        if !isOldestFirst, let total = walk.total, total != walk.items { noteDrift() }
        if walk.drifts > 0, isSweeping || walk.number > 1 { return begin(anew: false) }
        if walk.number == 1, walk.total != nil || !isSweeping {
            return close(isSweeping ? .unnamed : .nothing)
        }
        // One object that goes while another comes leaves the total unchanged.
        return close(
            isSweeping ? .unnamedIfSame(as: walk.expected) : .nothingIfSame(as: walk.expected)
        )
    }

    /// Whether the list has given fewer objects than its total says, though it did not move while
    /// it was read.
    ///
    /// One page is consistent in itself. Of several, objects may have moved from one to another
    /// without a change of the total: such a list is read again.
    private var lacksObjects: Bool {
        guard walk.drifts == 0, !isOldestFirst, !walk.isRecount, let total = walk.total else {
            return false
        }
        return total > walk.items
    }

    /// Reads the whole list, which shows whether the answer to the request for changes was right.
    private mutating func doubtChanges() -> Action? {
        changesProblem = .incomplete
        return escalate(to: .list)
    }

    /// Whether an answer to a request for changes may be right: it has the object that the cursor
    /// was taken from, or one that was changed since.
    ///
    /// It has neither where that object was deleted, which the whole list shows, or where the
    /// parameter does not mean "since".
    private var areChangesWhole: Bool {
        guard case .changes = walk.leg, !walk.isRecount, case .since = resource.style.delta,
            case .latest(let latest) = shown,
            let cursor = memory.cursor.flatMap({ ChangeStamp($0) })
        else { return true }
        return latest.map { $0 >= cursor } ?? false
    }

    /// Whether nothing is passed over, whatever comes and goes while the list is read.
    private var isSteady: Bool {
        resource.style.drift == .none || isOldestFirst && !walk.isCounted
    }

    /// Whether changes come from the oldest on, so that each page may be requested from the latest
    /// change of the one before.
    var isOldestFirst: Bool {
        guard case .changes = walk.leg, case .since(let since) = resource.style.delta else {
            return false
        }
        return !since.order.isEmpty
    }

    private mutating func noteDrift() {
        var walk = walk
        walk.drifts += 1
        setWalk(walk)
    }

    /// Whether the list, read to its end, proves what was deleted.
    private var isSweeping: Bool {
        switch (walk.leg, resource.style.deletes) {
        case (.changes, _), (_, .none): false
        case (.list, .sweep), (.list, .marked), (.keys, .sweep), (.keys, .marked): true
        }
    }

    mutating func close(_ sweep: Sweep) -> Action? {
        var walk = walk
        // What a list that moved has passed over would never be requested again.
        walk.candidate = isSteady || walk.drifts == 0 ? reached : nil
        setWalk(walk)
        setState(.closing)
        return .close(sweep)
    }

    /// How far changes were read once the list was read to its end.
    ///
    /// A change that some page had shown before the list was requested has come, or a later one of
    /// the same object.
    private var reached: String? {
        guard let candidate = walk.candidate.flatMap({ ChangeStamp($0) }),
            let settled = walk.settled.flatMap({ ChangeStamp($0) }), settled > candidate
        else { return walk.candidate }
        return settled.text
    }

    func later(_ one: ChangeStamp?, _ other: ChangeStamp?) -> ChangeStamp? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    mutating func conclude(_ result: ClosedWalk) -> Action? {
        if result.isUnproved { return confirm(result.digest) }
        // No place in a list that was ended can be gone on at.
        leavePlace()
        switch walk.leg {
        case .list:
            settleChangesProblem()
            if result.hasUnlistedRows, attempt < Self.attempts {
                // Rows that the list has were inserted before it is requested now: it decides.
                var walk = walk
                walk.expected = result.digest
                return begin(.list, attempt: attempt + 1, knowing: walk)
            }
            return end(isDrifted ? .inconsistent : hasChanges ? .complete : .unchanged)
        case .changes: return isDrifted ? end(.inconsistent) : audit()
        case .keys:
            guard !isListDue else { return escalate(to: .list) }
            return end(isDrifted ? .inconsistent : .complete)
        }
    }

    /// Whether the list has shown that the answer to the request for changes was wrong: where it
    /// has nothing from the cursor on, the object that the cursor was taken from was deleted.
    private mutating func settleChangesProblem() {
        guard changesProblem == .incomplete, case .latest(let latest) = shown else { return }
        let cursor = memory.cursor.flatMap { ChangeStamp($0) }
        if let latest, let cursor, latest >= cursor { return }
        changesProblem = nil
    }

    /// Whether objects moved while the list was read, and some may have been passed over.
    var isDrifted: Bool { walk.drifts > 0 && !isSteady }

    /// Whether it is to be looked at, behind the list, if all adds up.
    var isCountDue: Bool {
        if case .changes = walk.leg { return true }
        return isDrifted
    }

    /// Whether keys have named objects that are not here, so that everything is to be read.
    var isListDue: Bool { walk.leg == .keys && walk.unknown > 0 && !hasReadAll }

    private mutating func leavePlace() {
        var walk = walk
        walk.next = nil
        walk.number = 1
        walk.before = 0
        setWalk(walk)
    }

    /// Reads the list again: what both readings do not name was deleted.
    private mutating func confirm(_ digest: String?) -> Action? {
        guard attempt < Self.attempts else {
            noteDrift()
            return close(.nothing)
        }
        var walk = walk
        walk.expected = digest
        setWalk(walk)
        return begin(wholeLeg, attempt: attempt + 1, knowing: walk)
    }

    /// Whether what is here adds up with what the service has: tombstones are purged, and services
    /// wiped.
    private mutating func audit() -> Action? {
        guard resource.style.deletes != .none, !hasReadAll else { return end(done) }
        let reportsDeletions = resource.style.deletes != .sweep
        if reportsDeletions, !hasChanges, !hasDoubts, !memory.hasPendingDeletion {
            return end(done)
        }
        if resource.style.count != .none {
            setState(.counting)
            return .count
        }
        guard !reportsDeletions || memory.hasPendingDeletion, resource.style.keys != nil else {
            return end(done)
        }
        isSequel = true
        return begin(.keys)
    }

    mutating func compare(_ count: Int?, _ here: Int, _ pending: Int) -> Action? {
        guard let count, !agree(count: count, rows: here, pending: pending) else {
            return areChangesWhole || count == here - pending && pending > 0
                ? end(done) : doubtChanges()
        }
        let isUsual = memory.mismatch?.explains(count: count, rows: here - pending) ?? false
        guard !walk.isRecount, !isUsual, let cursor = walk.candidate ?? memory.cursor else {
            counted = count
            return escalate(to: resource.style.keys == nil ? .list : .keys)
        }
        // What has come since the changes were read is counted, and not here yet.
        hasDoubts = true
        let recount = PullCheckpoint(recountSince: cursor, run: reading)
        return begin(changes(since: cursor), knowing: recount)
    }

    /// Whether the service has as many objects as there are rows, or as many more as it had when
    /// its whole list explained the difference no better.
    private func agree(count: Int, rows here: Int, pending: Int) -> Bool {
        let rows = here - pending
        guard let mismatch = memory.mismatch else { return count == here || count == rows }
        guard mismatch.explains(count: count, rows: rows),
            !hasDoubts || walk.isRecount
        else { return false }
        // An object that was rejected now may hide that another was deleted.
        return walk.unknown == 0 || count == mismatch.count && rows == mismatch.rows && !hasNews
    }

    /// Whether the changes may have shown any that are later than all that were read before.
    private var hasNews: Bool { latest == nil || latest != memory.latest }

    private var done: Ending { hasChanges ? .complete : .unchanged }

    mutating func end(_ ending: Ending) -> Action? {
        setState(.ended(ending))
        return .end(ending)
    }
}

extension ListStyle {
    /// Whether rows that the service deletes are noticed without reading the whole list each time.
    package var noticesDeletions: Bool {
        switch deletes {
        case .none, .marked: true
        case .sweep: isVerifiable || fullInterval != nil
        }
    }

    /// Whether the service can be asked which objects it has, or how many, without the objects.
    var isVerifiable: Bool { count != .none || keys != nil }
}
