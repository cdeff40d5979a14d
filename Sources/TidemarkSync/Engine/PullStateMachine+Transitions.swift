import TidemarkModel
import TidemarkRemote

extension PullStateMachine {
    /// Processes an event, and returns the next action; nil if nothing remains to be done.
    ///
    /// The table is total: an event that cannot occur in the current state is ignored.
    mutating func handle(_ event: Event) -> Action? {
        switch (state, event) {
        case (.ready, .started): return start()
        case (.asking, .came(let facts)): return apply(facts)
        case (.asking, .unchanged(let page)): return pass(page)
        case (.asking, .failed(.noSuchPlace)), (.applying, .failed(.noSuchPlace)),
            (.closing, .failed(.noSuchPlace)):
            return begin(anew: true)
        case (.applying, .applied(let page)): return goOn(behind: page)
        case (.applying, .outdated): return ask(request, .none)
        case (.closing, .closed(let result)): return conclude(result)
        case (.counting, .counted(let count, let here, let pending)):
            return compare(count, here, pending)
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
        guard let open = memory.walk, !memory.isFull, !memory.isVerification else {
            return begin(firstLeg)
        }
        // Objects may have moved from the remaining pages to pages that were read before the
        // interruption.
        hasDoubts = true
        guard open.next != nil else {
            let leg = firstLeg
            return begin(leg, knowing: open.leg.name == leg.name ? open : nil)
        }
        setWalk(open)
        isResumed = true
        isSequel = open.number == 1
        return ask(place(of: open), revalidation)
    }

    /// The list to read first: the changes if the service reports them and deletions are noticed,
    /// otherwise the whole list.
    private var firstLeg: PullCheckpoint.Leg {
        if memory.isVerification, memory.isCompleted {
            return resource.style.keys == nil ? .list : .keys
        }
        guard let cursor = memory.cursor, resource.style.delta != .none, memory.isCompleted,
            !memory.isFull, !memory.isListDue, !memory.areChangesBroken,
            resource.style.noticesDeletions,
            !memory.hasPendingDeletion || resource.style.isVerifiable
        else { return .list }
        return changes(since: cursor)
    }

    /// Returns the changes since a cursor.
    ///
    /// Where the service may show changes late, since an earlier time.
    func changes(since cursor: String) -> PullCheckpoint.Leg {
        guard case .since(let since) = resource.style.delta, since.overlap > .zero,
            let stamp = ChangeStamp(cursor)
        else { return .changes(since: cursor) }
        return .changes(since: stamp.earlier(by: since.overlap).text)
    }

    /// Starts reading a list from its first page.
    mutating func begin(
        _ leg: PullCheckpoint.Leg,
        attempt: Int = 1,
        knowing earlier: PullCheckpoint? = nil
    ) -> Action? {
        self.attempt = attempt
        var next = PullCheckpoint(leg, run: reading)
        next.expected = earlier?.expected
        next.isRecount = earlier?.isRecount ?? false
        next.settled = latest?.text
        setWalk(next)
        isResumed = false
        if attempt == 1 { shown = .latest(nil) }
        if leg == .list { hasReadAll = true }
        return ask(place(of: next), revalidation)
    }

    /// Starts reading a list because the store is unverified.
    ///
    /// The cached pages of earlier reads are not used.
    mutating func escalate(to leg: PullCheckpoint.Leg) -> Action? {
        hasDoubts = true
        restarts += 1
        // A service that was reset may assign lower stamps than before.
        latest = nil
        isSequel = true
        return begin(leg)
    }

    /// Which cached page metadata is used.
    ///
    /// If the store is unverified, only that of pages which were received since.
    private var revalidation: Revalidation {
        guard hasDoubts || memory.isFull || memory.isVerification else { return .allPages }
        return walk.run == reading ? .ownPages : .none
    }

    /// The identifier of the reads of lists in this pull that may use each other's cached pages.
    var reading: String { restarts == 0 ? run : "\(run).\(restarts)" }

    /// Reads the same list again from the start, or ends it after a few attempts.
    ///
    /// `isFailed` specifies whether a request failed; otherwise objects moved between pages.
    mutating func begin(anew isFailed: Bool) -> Action? {
        if case .changes = walk.leg, walk.number == 1 {
            // The service no longer accepts the cursor, or does not support such requests.
            if isFailed { changesProblem = .rejected }
            return escalate(to: .list)
        }
        let isResumed = walk.number > 1
        guard isResumed, attempt < Self.attempts else {
            return isFailed ? end(.failed) : close(.nothing)
        }
        hasDoubts = true
        restarts += 1
        return begin(wholeLeg, attempt: attempt + 1, knowing: walk)
    }

    /// What the list is read for when it is read again from the start.
    var wholeLeg: PullCheckpoint.Leg {
        if case .changes = walk.leg, let cursor = memory.cursor { return changes(since: cursor) }
        return walk.leg
    }

    /// Returns the request for the page at a checkpoint.
    private func place(of walk: PullCheckpoint) -> PageRequest {
        guard let url = walk.next else {
            return PageRequest(first: resource, for: walk.leg.mode)
        }
        return PageRequest(
            resuming: resource,
            for: walk.leg.mode,
            at: url,
            number: walk.number,
            before: walk.before
        )
    }

    // MARK: Pages

    private mutating func ask(_ request: PageRequest, _ revalidation: Revalidation) -> Action? {
        self.request = request
        setState(.asking)
        return .ask(request, revalidation)
    }

    private mutating func apply(_ facts: PageMetadata) -> Action? {
        if facts.wasReset {
            wasReset = true
            return escalate(to: .list)
        }
        hasChanges = true
        self.facts = facts
        note(total: facts.total)
        latest = later(latest, facts.latest)
        if case .latest(let stamp) = shown { shown = .latest(later(stamp, facts.latest)) }
        next = facts.next
        reach(facts.cursor, isOver: facts.isCursorOver)
        setState(.applying)
        return .apply
    }

    private mutating func pass(_ page: KnownPage) -> Action? {
        // The validator of a collection covers all of its pages.
        if resource.style.validation == .collection { return end(.unchanged) }
        note(total: page.total)
        // The content was checked when the page was received.
        shown = .unknown
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

    /// Advances the cursor, unless an earlier page has stopped it.
    ///
    /// It stops at a time that had not passed when the page was sent: an object of the page may
    /// change at the same time once more, and later pages would not show it.
    private mutating func reach(_ cursor: String?, isOver: Bool) {
        guard let cursor, !walk.isHeld else { return }
        var walk = walk
        walk.candidate = cursor
        walk.isHeld = !isOver && next?.mode == request.mode
        setWalk(walk)
    }

    private mutating func goOn(behind page: AppliedPage) -> Action? {
        setWalk(walk(behind: page, next: next))
        isResumed = false
        guard let next else { return finish() }
        return ask(next, revalidation)
    }

    /// Returns the checkpoint after a page was applied.
    func walk(behind page: AppliedPage, next: PageRequest?) -> PullCheckpoint {
        var walk = walk
        // The interrupted pull had applied a part of this page: these objects did not move.
        walk.items += page.items + (isResumed ? page.repeated : 0)
        if !isResumed, !isOldestFirst { walk.drifts += page.repeated }
        walk.unknown += page.unknown
        guard let next else { return walk }
        walk.next = next.url
        walk.number = next.number
        walk.before = next.before
        // Each page of sorted changes is requested since the latest stamp of the page before. If
        // that stamp has not advanced, the next page is requested by its number, and objects may
        // move.
        if case .changes(let since) = next.mode {
            walk.isCounted = walk.isCounted || walk.leg == .changes(since: since)
            walk.leg = .changes(since: since)
        }
        return walk
    }
}

extension PullCheckpoint.Leg {
    /// What a page of the list is requested for.
    var mode: FetchMode {
        switch self {
        case .list: .list
        case .changes(let since): .changes(since: since)
        case .keys: .keys
        }
    }
}
