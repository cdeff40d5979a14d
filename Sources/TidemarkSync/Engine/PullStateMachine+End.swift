import TidemarkModel
import TidemarkRemote

/// The transitions at the end of a list.
extension PullStateMachine {
    // MARK: The end of a list

    mutating func finish() -> Action? {
        // If the service counts its objects, the count shows whether the newest object was deleted.
        guard areChangesWhole || resource.style.count != .none else { return doubtChanges() }
        if lacksObjects, let total = walk.total, walk.number == 1 || attempt == Self.attempts {
            // The total of such a response may be that of all objects.
            guard walk.leg.since == nil else { return doubtChanges() }
            if walk.number == 1 || isSteady {
                // The next pull must not resume at the last page: the list as a whole is
                // incomplete.
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
        // The total does not change if one object is deleted while another is inserted.
        return close(
            isSweeping ? .unnamedIfSame(as: walk.expected) : .nothingIfSame(as: walk.expected)
        )
    }

    /// Whether the pages contained fewer objects than the total says, although no object moved.
    ///
    /// A single page is consistent in itself. Between several pages objects may move without a
    /// change of the total, so such a list is read again.
    private var lacksObjects: Bool {
        guard walk.drifts == 0, !isOldestFirst, !walk.isRecount, let total = walk.total else {
            return false
        }
        return total > walk.items
    }

    /// Reads the whole list, which shows whether the response to the request for changes was right.
    private mutating func doubtChanges() -> Action? {
        changesProblem = .incomplete
        return escalate(to: .list)
    }

    /// Whether the response to a request for changes may be right: it contains the object that the
    /// cursor was taken from, or a later change.
    ///
    /// If it contains neither, that object was deleted, which the whole list will show, or the
    /// parameter does not mean "since".
    private var areChangesWhole: Bool {
        guard case .changes = walk.leg, !walk.isRecount, case .since = resource.style.delta,
            case .latest(let latest) = shown,
            let cursor = memory.cursor.flatMap({ ChangeStamp($0) })
        else { return true }
        return latest.map { $0 >= cursor } ?? false
    }

    /// Whether no object is missed even if objects are inserted or deleted while the list is read.
    private var isSteady: Bool {
        resource.style.drift == .none || isOldestFirst && !walk.isCounted
    }

    /// Whether changes are sorted in ascending order, so that each page can be requested since the
    /// latest change of the page before.
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

    /// Whether a list that was read to its end proves which objects were deleted.
    private var isSweeping: Bool {
        switch (walk.leg, resource.style.deletes) {
        case (.changes, _), (_, .none): false
        case (.list, .sweep), (.list, .marked), (.keys, .sweep), (.keys, .marked): true
        }
    }

    mutating func close(_ sweep: Sweep) -> Action? {
        var walk = walk
        // If the cursor advanced, changes that the read missed would never be requested again.
        walk.candidate = isSteady || walk.drifts == 0 ? reached : nil
        setWalk(walk)
        setState(.closing)
        return .close(sweep)
    }

    /// The cursor after the list was read to its end.
    ///
    /// A change that was shown before the list was requested is in the list, or a later change of
    /// the same object is. So the cursor may advance to the latest of these changes.
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
        // A list that was finished has no position to resume at.
        leavePlace()
        switch walk.leg {
        case .list:
            settleChangesProblem()
            if result.hasUnlistedRows, attempt < Self.attempts {
                // These rows were inserted before the request that follows, so that the list
                // decides about them.
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

    /// Clears the problem if the whole list shows that the response to the request for changes was
    /// right: if no object has the stamp of the cursor or a later one, the object that the cursor
    /// was taken from was deleted.
    private mutating func settleChangesProblem() {
        guard changesProblem == .incomplete, case .latest(let latest) = shown else { return }
        let cursor = memory.cursor.flatMap { ChangeStamp($0) }
        if let latest, let cursor, latest >= cursor { return }
        changesProblem = nil
    }

    /// Whether objects moved while the list was read, so that some may have been missed.
    var isDrifted: Bool { walk.drifts > 0 && !isSteady }

    /// Whether the row count has to be verified after the list.
    var isCountDue: Bool {
        if case .changes = walk.leg { return true }
        return isDrifted
    }

    /// Whether the keys contained objects without a row, so that the whole list has to be read.
    var isListDue: Bool { walk.leg == .keys && walk.unknown > 0 && !hasReadAll }

    private mutating func leavePlace() {
        var walk = walk
        walk.next = nil
        walk.number = 1
        walk.before = 0
        setWalk(walk)
    }

    /// Reads the list again: rows are deleted only if both reads named the same objects.
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

    /// Compares the number of rows with the service's count: tombstones may be purged, and services
    /// may be reset.
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
        // The count includes objects that were inserted after the changes were read.
        hasDoubts = true
        let recount = PullCheckpoint(recountSince: cursor, run: reading)
        return begin(changes(since: cursor), knowing: recount)
    }

    /// Whether the service's count equals the number of rows, apart from a mismatch that the whole
    /// list did not resolve.
    private func agree(count: Int, rows here: Int, pending: Int) -> Bool {
        let rows = here - pending
        guard let mismatch = memory.mismatch else { return count == here || count == rows }
        guard mismatch.explains(count: count, rows: rows),
            !hasDoubts || walk.isRecount
        else { return false }
        // An object that was rejected now may hide that another was deleted.
        return walk.unknown == 0 || count == mismatch.count && rows == mismatch.rows && !hasNews
    }

    /// Whether the pages may have contained changes that are later than all earlier ones.
    private var hasNews: Bool { latest == nil || latest != memory.latest }

    private var done: Ending { hasChanges ? .complete : .unchanged }

    mutating func end(_ ending: Ending) -> Action? {
        setState(.ended(ending))
        return .end(ending)
    }
}

extension ListStyle {
    /// Whether deletions at the service are noticed without reading the whole list in each pull.
    package var noticesDeletions: Bool {
        switch deletes {
        case .none, .marked: true
        case .sweep: isVerifiable || fullInterval != nil
        }
    }

    /// Whether the service can report its keys, or its number of objects, without the objects.
    var isVerifiable: Bool { count != .none || keys != nil }
}
