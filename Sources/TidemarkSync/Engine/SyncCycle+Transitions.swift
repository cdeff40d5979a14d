import TidemarkModel
import TidemarkRemote

extension SyncCycle {
    /// Tells what has happened, and returns what is to be done next.
    ///
    /// The table is total: an event that cannot come in a state changes nothing.
    mutating func handle(_ event: Event) -> Action? {
        switch (state, event) {
        case (.ready, .started): return start()
        case (.asking, .came(let facts)): return apply(facts)
        case (.asking, .unchanged(let page)): return pass(page)
        case (.asking, .failed(.noSuchPlace)), (.applying, .failed(.noSuchPlace)),
            (.closing, .failed(.noSuchPlace)):
            return begin(anew: true)
        case (.applying, .applied(let page)): return goOn(behind: page)
        case (.applying, .outdated): return ask(request, isConditional: false)
        case (.closing, .closed(let result)): return conclude(result)
        case (.counting, .counted(let count, let here)): return compare(count, here)
        case (.ready, .failed), (.asking, .failed(.other)), (.applying, .failed(.other)),
            (.closing, .failed(.other)), (.counting, .failed):
            return end(.failed)
        case (.ready, .came), (.ready, .unchanged), (.ready, .applied), (.ready, .outdated),
            (.ready, .closed), (.ready, .counted),
            (.asking, .started), (.asking, .applied), (.asking, .outdated), (.asking, .closed),
            (.asking, .counted),
            (.applying, .started), (.applying, .came), (.applying, .unchanged),
            (.applying, .closed), (.applying, .counted),
            (.closing, .started), (.closing, .came), (.closing, .unchanged), (.closing, .applied),
            (.closing, .outdated), (.closing, .counted),
            (.counting, .started), (.counting, .came), (.counting, .unchanged),
            (.counting, .applied), (.counting, .outdated), (.counting, .closed),
            (.ended, .started), (.ended, .came), (.ended, .unchanged), (.ended, .applied),
            (.ended, .outdated), (.ended, .closed), (.ended, .counted), (.ended, .failed):
            return nil
        }
    }

    // MARK: Which list

    private mutating func start() -> Action? {
        guard let open = memory.walk, !memory.isFull else { return begin(firstLeg) }
        // Pages that were read then may have told of objects that are on others by now.
        hasDoubts = true
        guard open.next != nil else {
            let leg = firstLeg
            return begin(leg, knowing: open.leg.name == leg.name ? open : nil)
        }
        setWalk(open)
        isResumed = true
        isSequel = open.number == 1
        return ask(place(of: open), isConditional: isTrusting)
    }

    /// Changes where they can be told, and deletions too; else everything.
    private var firstLeg: OpenWalk.Leg {
        guard let cursor = memory.cursor, resource.style.delta != .none, memory.isCompleted,
            !memory.isFull, !memory.isSweepDue || canFindDeletions
        else { return .list }
        return changes(since: cursor)
    }

    /// The changes since a cursor, or some time before it, where the service may show them late.
    private func changes(since cursor: String) -> OpenWalk.Leg {
        guard case .since(let since) = resource.style.delta, since.overlap > .zero,
            let stamp = ChangeStamp(cursor)
        else { return .changes(since: cursor) }
        return .changes(since: stamp.earlier(by: since.overlap).text)
    }

    /// Whether deletions are found without reading everything.
    private var canFindDeletions: Bool {
        switch resource.style.deletes {
        case .none, .marked: true
        case .sweep: resource.style.count != .none || resource.style.keys != nil
        }
    }

    private mutating func begin(
        _ leg: OpenWalk.Leg,
        attempt: Int = 1,
        knowing earlier: OpenWalk? = nil
    ) -> Action? {
        self.attempt = attempt
        var next = OpenWalk(leg, run: walk.run)
        next.expected = earlier?.expected
        next.isRecount = earlier?.isRecount ?? false
        next.settled = latest?.text
        setWalk(next)
        isResumed = false
        if leg == .list { hasReadAll = true }
        return ask(place(of: next), isConditional: isTrusting)
    }

    /// The same for a list that has to be read because something did not add up: what is known of
    /// its pages is not believed.
    private mutating func escalate(to leg: OpenWalk.Leg) -> Action? {
        hasDoubts = true
        // A service that was wiped may begin to count anew.
        latest = nil
        isSequel = true
        return begin(leg)
    }

    /// Whether what is known of pages is believed.
    private var isTrusting: Bool { !hasDoubts && !memory.isFull }

    /// The same list from its beginning, a few times; then it is given up.
    private mutating func begin(anew isFailed: Bool) -> Action? {
        if case .changes = walk.leg, walk.number == 1 {
            // The service no longer knows the cursor.
            return escalate(to: .list)
        }
        let isResumed = walk.number > 1
        guard isResumed, attempt < Self.attempts else {
            return isFailed ? end(.failed) : close(.nothing)
        }
        hasDoubts = true
        return begin(wholeLeg, attempt: attempt + 1, knowing: walk)
    }

    /// What the list is read for, from its beginning on.
    private var wholeLeg: OpenWalk.Leg {
        if case .changes = walk.leg, let cursor = memory.cursor { return changes(since: cursor) }
        return walk.leg
    }

    private func place(of walk: OpenWalk) -> PageRequest {
        guard let url = walk.next else {
            return PageRequest(first: resource, for: walk.leg.purpose)
        }
        return PageRequest(
            resuming: resource,
            for: walk.leg.purpose,
            at: url,
            number: walk.number,
            before: walk.before
        )
    }

    // MARK: Pages

    private mutating func ask(_ request: PageRequest, isConditional: Bool) -> Action? {
        self.request = request
        setState(.asking)
        return .ask(request, isConditional: isConditional)
    }

    private mutating func apply(_ facts: PageFacts) -> Action? {
        if facts.isFlushed {
            isFlushed = true
            return escalate(to: .list)
        }
        hasChanges = true
        self.facts = facts
        note(total: facts.total)
        latest = later(latest, facts.latest)
        next = facts.next
        reach(facts.cursor, isOver: facts.isCursorOver)
        setState(.applying)
        return .apply
    }

    private mutating func pass(_ page: KnownPage) -> Action? {
        // What is known of a collection is known of all its pages.
        if resource.style.validation == .collection { return end(.unchanged) }
        note(total: page.total)
        next = page.next
        reach(page.cursor, isOver: page.isCursorOver)
        setState(.applying)
        return .mark(page)
    }

    private mutating func note(total: Int?) {
        var walk = walk
        if let total, let first = walk.total, total != first, !isOldestFirst { walk.drifts += 1 }
        walk.total = walk.total ?? total
        setWalk(walk)
    }

    /// Moves on how far changes were read, until the time has come that is not over yet: an object
    /// of the page may change in it once more, and the pages behind this one do not show it.
    private mutating func reach(_ cursor: String?, isOver: Bool) {
        guard let cursor, !walk.isHeld else { return }
        var walk = walk
        walk.candidate = cursor
        walk.isHeld = !isOver && next?.purpose == request.purpose
        setWalk(walk)
    }

    private mutating func goOn(behind page: AppliedPage) -> Action? {
        setWalk(walk(behind: page, next: next))
        isResumed = false
        guard let next else { return finish() }
        return ask(next, isConditional: isTrusting)
    }

    /// The list once a page of it is in the store.
    func walk(behind page: AppliedPage, next: PageRequest?) -> OpenWalk {
        var walk = walk
        // What an interrupted pull had applied of the page comes for the second time.
        walk.items += page.items + (isResumed ? page.repeated : 0)
        if !isResumed, !isOldestFirst { walk.drifts += page.repeated }
        walk.unknown += page.unknown
        guard let next else { return walk }
        walk.next = next.url
        walk.number = next.number
        walk.before = next.before
        if case .changes(let since) = next.purpose {
            walk.isCounted = walk.isCounted || walk.leg == .changes(since: since)
            walk.leg = .changes(since: since)
        }
        return walk
    }

    // MARK: The end of a list

    private mutating func finish() -> Action? {
        guard !isSteady else { return close(isSweeping ? .unnamed : .nothing) }
        if !isOldestFirst, let total = walk.total, total != walk.items { noteDrift() }
        if walk.drifts > 0, isSweeping || walk.number > 1 { return begin(anew: false) }
        if walk.number == 1, walk.total != nil || !isSweeping {
            return close(isSweeping ? .unnamed : .nothing)
        }
        // One object that goes while another comes leaves the total as it was.
        return close(
            isSweeping ? .unnamedIfSame(as: walk.expected) : .nothingIfSame(as: walk.expected)
        )
    }

    /// Whether nothing is passed over, whatever comes and goes while the list is read.
    private var isSteady: Bool {
        resource.style.drift == .none || isOldestFirst && !walk.isCounted
    }

    /// Whether changes come from the oldest on, so that each page may be asked for from the latest
    /// change of the one before.
    private var isOldestFirst: Bool {
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

    /// Whether the list, read to its end, proves what is gone.
    private var isSweeping: Bool {
        switch (walk.leg, resource.style.deletes) {
        case (.changes, _), (_, .none): false
        case (.list, .sweep), (.list, .marked), (.keys, .sweep), (.keys, .marked): true
        }
    }

    private mutating func close(_ sweep: Sweep) -> Action? {
        var walk = walk
        // What a list that moved has passed over would never be asked for again.
        walk.candidate = isSteady || walk.drifts == 0 ? reached : nil
        setWalk(walk)
        setState(.closing)
        return .close(sweep)
    }

    /// How far changes were read once the list was read to its end.
    ///
    /// A change that some page had shown before the list was asked for has come, or a later one of
    /// the same object.
    private var reached: String? {
        guard let candidate = walk.candidate.flatMap({ ChangeStamp($0) }),
            let settled = walk.settled.flatMap({ ChangeStamp($0) }), settled > candidate
        else { return walk.candidate }
        return settled.text
    }

    private func later(_ one: ChangeStamp?, _ other: ChangeStamp?) -> ChangeStamp? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    private mutating func conclude(_ result: ClosedWalk) -> Action? {
        if result.isUnproved { return confirm(result.digest) }
        // No place in a list that was ended can be gone on at.
        leavePlace()
        switch walk.leg {
        case .list: return end(isDrifted ? .drifted : hasChanges ? .complete : .unchanged)
        case .changes: return isDrifted ? end(.drifted) : audit()
        case .keys:
            guard !isListDue else { return escalate(to: .list) }
            return end(isDrifted ? .drifted : .complete)
        }
    }

    /// Whether objects moved while the list was read, and some may have been passed over.
    private var isDrifted: Bool { walk.drifts > 0 && !isSteady }

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

    /// Reads the list again: what both readings do not name is gone.
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
        let tellsDeletions = resource.style.deletes != .sweep
        if tellsDeletions, !hasChanges, !hasDoubts { return end(done) }
        if resource.style.count != .none {
            setState(.counting)
            return .count
        }
        guard !tellsDeletions, memory.isSweepDue, resource.style.keys != nil else {
            return end(done)
        }
        isSequel = true
        return begin(.keys)
    }

    private mutating func compare(_ count: Int?, _ here: Int) -> Action? {
        guard let count, count != here else { return end(done) }
        guard !walk.isRecount, let cursor = walk.candidate ?? memory.cursor else {
            return escalate(to: resource.style.keys == nil ? .list : .keys)
        }
        // What has come since the changes were read is counted, and not here yet.
        hasDoubts = true
        let recount = OpenWalk(recountSince: cursor, run: walk.run)
        return begin(changes(since: cursor), knowing: recount)
    }

    private var done: Ending { hasChanges ? .complete : .unchanged }

    private mutating func end(_ ending: Ending) -> Action? {
        setState(.ended(ending))
        return .end(ending)
    }
}

extension OpenWalk.Leg {
    /// What a page of the list is asked for.
    var purpose: PageRequest.Purpose {
        switch self {
        case .list: .list
        case .changes(let since): .changes(since: since)
        case .keys: .keys
        }
    }
}
