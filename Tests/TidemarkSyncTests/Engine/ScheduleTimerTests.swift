import Foundation
import Testing
import TidemarkModel
import TidemarkTesting

@testable import TidemarkSync

/// When a schedule runs if the clock of the device is set back.
struct ScheduleTimerTests {
    private let clock = ManualClock()
    private let day = Duration.seconds(86_400)

    @Test func `a sync is postponed by no more than the interval`() {
        var timer = ScheduleTimer(
            .every(.seconds(300)),
            outbox: PushableChanges(),
            at: clock.now
        )
        #expect(timer.work(at: clock.now) == .sync)
        timer.ended(
            .sync,
            pushing: PushReport(),
            leaving: PushableChanges(),
            hasChanged: false,
            in: clock.environment
        )
        clock.advance(by: .zero - day)
        #expect(timer.work(at: clock.now) == nil)
        clock.advance(by: .seconds(299))
        #expect(timer.work(at: clock.now) == nil)
        clock.advance(by: .seconds(1))
        #expect(timer.work(at: clock.now) == .sync)
    }

    @Test func `a retry is postponed by no more than an hour`() {
        var changes = PushableChanges()
        changes.hasNew = true
        var timer = ScheduleTimer(.manual, outbox: changes, at: clock.now)
        #expect(timer.work(at: clock.now) == .push)
        // Another process was using the store.
        timer.ended(
            .push,
            pushing: nil,
            leaving: changes,
            hasChanged: false,
            in: clock.environment
        )
        clock.advance(by: .zero - day)
        timer.update(changes, at: clock.now)
        #expect(timer.work(at: clock.now) == nil)
        clock.advance(by: .seconds(3_600))
        #expect(timer.work(at: clock.now) == .push)
    }
}
