import Testing
import TidemarkRemote

@testable import TidemarkSync

/// What follows from how many objects the service has.
extension SyncCycleTests {
    @Test func `changes are asked for where the service tells them, and counted`() {
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

    @Test func `what comes between the changes and the count is asked for once more`() {
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

    @Test func `a count that does not add up leads to the keys, and those to the whole list`() {
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

    @Test func `keys of objects that were skipped before lead to no list`() {
        var memory = memory
        memory.skipped = 1
        expectWay(
            Self.delta,
            knowing: memory,
            when: [
                .started, came(), applied, closed, .counted(3, here: 4),
                came(), applied, closed, .counted(3, here: 4),
                came(), .applied(.init(items: 3, unknown: 1)), closed,
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
                end complete
                """
        )
    }

    @Test(arguments: [3, nil])
    func `a count that adds up, or is not told, makes nobody read more`(_ count: Int?) {
        var cycle = Self.cycle(Self.delta, memory)
        for event in [.started, came(cursor: "8"), applied, closed] { _ = cycle.handle(event) }
        #expect(cycle.state == .counting)
        #expect(cycle.handle(.counted(count, here: 3)) == .end(.complete))
    }
}
