import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// Comparison of the service's number of objects with the number of rows.
extension PullStateMachineTests {
    @Test func `changes are requested if the service reports them, and then counted`() {
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, came(cursor: "8"), applied, closed, .counted(3, here: 3)],
            then: """
                ask changes since 7 page 1
                apply
                close nothing
                count
                end complete
                """
        )
    }

    @Test func `changes between the last page and the count are requested again`() {
        expectWay(
            Self.delta,
            knowing: memory,
            when: [
                .started, came(cursor: "8"), applied, closed, .counted(4, here: 3),
                came(cursor: "9"), applied, closed, .counted(4, here: 4),
            ],
            then: """
                ask changes since 7 page 1
                apply
                close nothing
                count
                ask changes since 8 page 1, trusting own pages
                apply
                close nothing
                count
                end complete
                """
        )
    }

    @Test func `a count mismatch leads to the keys, and unknown keys to the whole list`() {
        expectWay(
            Self.delta,
            knowing: memory,
            when: [
                .started, came(), applied, closed, .counted(4, here: 3),
                came(), applied, closed, .counted(4, here: 3),
                came(), .applied(.init(items: 4, unknown: 1)), closed,
                came(), applied, closed,
            ],
            then: """
                ask changes since 7 page 1
                apply
                close nothing
                count
                ask changes since 7 page 1, trusting own pages
                apply
                close nothing
                count
                ask keys page 1, trusting own pages
                apply
                close unnamed
                ask list page 1, trusting own pages
                apply
                close unnamed
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
        (5, 3, 1, "8", "ask keys page 1, trusting own pages"),
        (6, 4, 1, "8", "ask keys page 1, trusting own pages"),
        // Numbers that agree by coincidence: two rows may be those of deleted objects.
        (3, 3, 0, "7", "ask changes since 7 page 1, trusting own pages"),
        (4, 3, 0, "7", "ask changes since 7 page 1, trusting own pages"),
    ])
    func `later counts are compared with a mismatch that the whole list did not explain`(
        _ count: Int,
        _ here: Int,
        _ unknown: Int,
        _ latest: String,
        _ then: String
    ) {
        var memory = memory
        memory.mismatch = CountMismatch(count: 5, rows: 3)
        memory.latest = ChangeStamp("7")
        var cycle = Self.cycle(Self.delta, memory)
        for event in [
            .started, came(latest: latest), .applied(.init(items: 1, unknown: unknown)), closed,
        ] as [PullStateMachine.Event] { _ = cycle.handle(event) }
        #expect(cycle.state == .counting)
        #expect(cycle.handle(.counted(count, here: here))?.line == then)
    }

    @Test(arguments: [
        (5, "end complete"), (8, "ask changes since 7 page 1, trusting own pages"),
    ])
    func `rows with a pending deletion do not make up for a count mismatch`(
        _ count: Int,
        _ then: String
    ) {
        var memory = memory
        memory.mismatch = CountMismatch(count: 5, rows: 3)
        var cycle = Self.cycle(Self.delta, memory)
        for event in [.started, came(), applied, closed] { _ = cycle.handle(event) }
        #expect(cycle.handle(.counted(count, here: 8, pending: 5))?.line == then)
    }

    @Test(arguments: [3, nil])
    func `a count that matches, or is not available, ends the pull`(_ count: Int?) {
        var cycle = Self.cycle(Self.delta, memory)
        for event in [.started, came(cursor: "8"), applied, closed] { _ = cycle.handle(event) }
        #expect(cycle.state == .counting)
        #expect(cycle.handle(.counted(count, here: 3)) == .end(.complete))
    }
}
