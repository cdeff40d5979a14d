import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// Comparison of the service's number of objects with the number of rows.
extension PullStateMachineTests {
    @Test func `changes are requested if the service reports them, and then counted`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [
                .started(nil), received(cursor: "8"), applied, finished,
                .counted(3, stored: rows(3)),
            ],
            then: """
                fetch changes since 7 page 1
                apply
                finish, deleting nothing
                count
                end complete
                """
        )
    }

    @Test func `changes between the last page and the count are requested again`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [
                .started(nil), received(cursor: "8"), applied, finished,
                .counted(4, stored: rows(3)),
                received(cursor: "9"), applied, finished, .counted(4, stored: rows(4)),
            ],
            then: """
                fetch changes since 7 page 1
                apply
                finish, deleting nothing
                count
                fetch changes since 8 page 1, with own cached pages
                apply
                finish, deleting nothing
                count
                end complete
                """
        )
    }

    @Test func `a count mismatch leads to the keys, and unknown keys to the whole list`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [
                .started(nil), received(), applied, finished, .counted(4, stored: rows(3)),
                received(), applied, finished, .counted(4, stored: rows(3)),
                received(), .applied(BatchResult(items: 4, itemsWithoutRow: 1)), finished,
                received(), applied, finished,
            ],
            then: """
                fetch changes since 7 page 1
                apply
                finish, deleting nothing
                count
                fetch changes since 7 page 1, with own cached pages
                apply
                finish, deleting nothing
                count
                fetch keys page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    /// Later counts after a mismatch of 5 objects and 3 rows that the whole list did not explain,
    /// and the resulting actions.
    @Test(arguments: [
        // The same numbers, and both larger by the same amount.
        (5, 3, 0, "7", "end complete"), (6, 4, 0, "8", "end complete"),
        // The same object is rejected again.
        (5, 3, 1, "7", "end complete"),
        // A later object is rejected: another one may have been deleted.
        (5, 3, 1, "8", "fetch keys page 1, with own cached pages"),
        (6, 4, 1, "8", "fetch keys page 1, with own cached pages"),
        // Numbers that agree by coincidence: two rows may be those of deleted objects.
        (3, 3, 0, "7", "fetch changes since 7 page 1, with own cached pages"),
        (4, 3, 0, "7", "fetch changes since 7 page 1, with own cached pages"),
    ])
    func `later counts are compared with a mismatch that the whole list did not explain`(
        _ count: Int,
        _ here: Int,
        _ unknown: Int,
        _ latest: String,
        _ then: String
    ) {
        var start = start
        start.mismatch = CountMismatch(count: 5, rows: 3)
        start.latest = ChangeStamp("7")
        var machine = Self.machine(Self.delta, start)
        for event in [
            .started(nil), received(latest: latest),
            .applied(BatchResult(items: 1, itemsWithoutRow: unknown)),
            finished,
        ] as [PullStateMachine.Event] { _ = machine.handle(event) }
        #expect(machine.state == .verifyingCount)
        #expect(machine.handle(.counted(count, stored: rows(here)))?.line == then)
    }

    @Test(arguments: [
        (5, "end complete"), (8, "fetch changes since 7 page 1, with own cached pages"),
    ])
    func `rows with a pending deletion do not make up for a count mismatch`(
        _ count: Int,
        _ then: String
    ) {
        var start = start
        start.mismatch = CountMismatch(count: 5, rows: 3)
        var machine = Self.machine(Self.delta, start)
        for event in [.started(nil), received(), applied, finished] { _ = machine.handle(event) }
        #expect(machine.handle(.counted(count, stored: rows(8, pending: 5)))?.line == then)
    }

    @Test(arguments: [3, nil])
    func `a count that matches, or is not available, ends the pull`(_ count: Int?) {
        var machine = Self.machine(Self.delta, start)
        for event in [.started(nil), received(cursor: "8"), applied, finished] {
            _ = machine.handle(event)
        }
        #expect(machine.state == .verifyingCount)
        #expect(machine.handle(.counted(count, stored: rows(3)))?.line == "end complete")
    }
}
