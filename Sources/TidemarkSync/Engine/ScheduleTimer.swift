import TidemarkModel
import TidemarkRemote

import struct Foundation.Date

/// Decides when the next run of a schedule begins, and what it does.
///
/// It is a value: it knows the time and the outbox only from its caller.
///
/// A sync is due at the interval. Between syncs a push is due
/// - after a local change that no run has seen (``SyncSchedule/pushDebounce``),
/// - when a change may be sent again, after the delay that the service requested,
/// - after a pause, if a run could not send everything or could not settle an outcome. The pause
///   grows with each run that achieved nothing. Local edits neither shorten nor extend it, so that
///   a service that is down receives few requests however much is edited, and the changes are sent
///   when it is back even if nothing is edited any more.
struct ScheduleTimer {
    /// The work of a run.
    enum Work: Hashable {
        case push
        case sync
    }

    /// A run that is due at a time.
    struct Planned: Hashable {
        var date: Date
        var work: Work
    }

    private let schedule: SyncSchedule

    /// The time of the next sync; nil if only a request starts one.
    private var nextSync: Date?

    /// The push, or the sync in its place, that is due between two syncs.
    private var nextPush: Planned?

    /// When it is tried again to send what the last run could not.
    private var retry: Planned?

    /// The number of consecutive retries that have achieved nothing.
    private var fruitlessRetries = 0

    /// Whether nothing is sent before the retry, since another process was using the store.
    private var isHeld = false

    /// The changes that the last run could not send, although they were due.
    private var left: Set<Int64> = []

    /// The longest pause, in seconds, before it is tried again to send what is left.
    private static let longestPause = 3_600.0

    /// The longest pause while the service cannot be reached, which costs it nothing.
    private static let longestPauseOffline = 300.0

    /// Creates the timer of a schedule that starts now.
    ///
    /// - Parameters:
    ///   - schedule: The schedule.
    ///   - changes: The outbox, which a process that was killed may have left.
    ///   - now: The current time.
    init(_ schedule: SyncSchedule, outbox changes: PushableChanges, at now: Date) {
        self.schedule = schedule
        // The first sync is due at once, and pushes what is there.
        nextSync = schedule.interval.map { _ in now }
        if let doubt = changes.doubt { retry = Planned(date: now, work: doubt.work) }
        plan(changes, at: now)
    }

    /// When the next run begins; nil if none is planned.
    var next: Date? { [nextSync, nextPush?.date].compactMap(\.self).min() }

    /// Returns the work that is due; nil if it is too early for any.
    mutating func work(at now: Date) -> Work? {
        // A clock that was set back must not postpone a sync by more than the interval.
        if let interval = schedule.interval, let date = nextSync {
            nextSync = min(date, now.addingTimeInterval(interval / .seconds(1)))
        }
        // A sync pushes, too.
        if let nextSync, nextSync <= now { return .sync }
        if let nextPush, nextPush.date <= now { return nextPush.work }
        return nil
    }

    /// Plans the push again after local changes.
    ///
    /// - Parameters:
    ///   - changes: The outbox.
    ///   - now: The current time.
    mutating func update(_ changes: PushableChanges, at now: Date) {
        // A push that is due already takes all changes.
        if let nextPush, nextPush.date <= now { return }
        plan(changes, at: now)
    }

    /// Records what a run has done, and plans the next one.
    ///
    /// - Parameters:
    ///   - work: The work of the run.
    ///   - pushed: What it has pushed; nil if it could not begin, or lost its lease.
    ///   - changes: The outbox after the run.
    ///   - hasChanged: Whether something other than the run may have changed rows meanwhile.
    ///   - environment: Supplies the time, and the jitter of pauses.
    mutating func ended(
        _ work: Work,
        pushing pushed: PushReport?,
        leaving changes: PushableChanges,
        hasChanged: Bool,
        in environment: SystemEnvironment
    ) {
        let now = environment.now()
        if work == .sync {
            nextSync = schedule.interval.map { now.addingTimeInterval($0 / .seconds(1)) }
        }
        isHeld = pushed == nil
        if let pushed {
            // A change that was rejected and then corrected, all in this run, looks like one that
            // the run could not send.
            left = hasChanged && pushed.hasRejected ? [] : pushed.waiting
            if pushed.hasPushed { fruitlessRetries = 0 }
        }
        planRetry(after: pushed, leaving: changes, in: environment)
        let delay = (schedule.pushDebounce ?? .zero) / .seconds(1)
        plan(changes, at: now, newChangesAt: now.addingTimeInterval(delay))
    }

    private mutating func planRetry(
        after pushed: PushReport?,
        leaving changes: PushableChanges,
        in environment: SystemEnvironment
    ) {
        guard !changes.due.isEmpty || pushed == nil && changes.hasNew else {
            retry = nil
            fruitlessRetries = 0
            return
        }
        let now = environment.now()
        let work = changes.doubt?.work ?? .push
        var pause = Self.longestPause
        if pushed?.failures.isEmpty != true || changes.doubt != nil {
            // A run that was started otherwise says nothing about how long the service is down.
            if retry.map({ $0.date <= now }) ?? true { fruitlessRetries += 1 }
            pause = OutboxWriter.pause(
                beforeAttempt: max(1, fruitlessRetries),
                atMost: pushed?.isUnreachable ?? true ? Self.longestPauseOffline : pause,
                in: environment
            )
        }
        // Otherwise other changes block those that are left, and nothing is requested.
        let date = now.addingTimeInterval(pause)
        let planned = retry.flatMap { $0.date > now ? $0.date : nil }
        retry = Planned(date: min(date, planned ?? date), work: work)
    }

    private mutating func plan(
        _ changes: PushableChanges,
        at now: Date,
        newChangesAt date: Date? = nil
    ) {
        if changes.isEmpty {
            retry = nil
            fruitlessRetries = 0
        }
        // As above, if the clock was set back.
        if let date = retry?.date {
            retry?.date = min(date, now.addingTimeInterval(Self.longestPause))
        }
        isHeld = isHeld && retry != nil
        var candidates = [retry].compactMap(\.self)
        if !isHeld {
            let isNew = changes.hasNew || !changes.due.isSubset(of: left)
            if isNew, schedule.pushDebounce != nil {
                candidates.append(Planned(date: date ?? now, work: .push))
            }
            let attempts = changes.attempts.filter { !left.contains($0.key) }.values
            if let attempt = attempts.min() {
                candidates.append(Planned(date: max(attempt, now), work: .push))
            }
        }
        nextPush = candidates.min { $0.date < $1.date }
    }
}

extension PushableChanges.Doubt {
    fileprivate var work: ScheduleTimer.Work {
        switch self {
        case .push: .push
        case .sync: .sync
        }
    }
}

extension PushReport {
    /// Whether the service has rejected changes, or a user has to decide about them.
    fileprivate var hasRejected: Bool { total.rejected + total.conflicted > 0 }

    /// Whether the run ended because the service could not be reached.
    fileprivate var isUnreachable: Bool {
        failures.values.contains { $0.code == .unreachable }
    }
}
