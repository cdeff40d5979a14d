import Foundation
import Testing
import TidemarkRemote

@testable import TidemarkSync

/// How a list goes on that an interrupted pull had begun.
extension SyncCycleTests {
    @Test func `a place that is lost again and again ends the pull, with the list begun anew`() {
        var open = OpenWalk(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        var memory = SyncCycle.Memory()
        memory.walk = open
        let lost: [SyncCycle.Event] = [came(next: 2), applied, .failed(.noSuchPlace)]
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, .failed(.noSuchPlace)] + lost + lost,
            then: """
                ask list page 2, whatever is known
                ask list page 1, whatever is known
                apply
                ask list page 2, whatever is known
                ask list page 1, whatever is known
                apply
                ask list page 2, whatever is known
                end failed
                """
        )
    }

    @Test func `a list of which nothing is known any more is begun anew`() {
        var open = OpenWalk(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        var memory = SyncCycle.Memory()
        memory.walk = open
        let begun = "ask list page 2, whatever is known\napply\n"
        let anew = "ask list page 1, whatever is known\napply\nclose unnamed\nend complete"
        let rest: [SyncCycle.Event] = [came(), applied, closed]
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, came(), .failed(.noSuchPlace)] + rest,
            then: begun + anew
        )
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, came(), applied, .failed(.noSuchPlace)] + rest,
            then: begun + "close unnamed\n" + anew
        )
    }

    @Test func `a pull that goes on has tried nothing yet`() {
        var memory = SyncCycle.Memory()
        memory.walk = OpenWalk(.list, run: "r")
        memory.walk?.next = URL(string: "https://a.example/things?page=2")
        memory.walk?.number = 2
        var cycle = Self.cycle(Self.stable, memory)
        _ = cycle.handle(.started)
        #expect(cycle.attempt == 1)
        _ = cycle.handle(.failed(.noSuchPlace))
        #expect(cycle.attempt == 2)
    }

    @Test func `what an interrupted pull had applied of a page is no sign that the list moved`() {
        var open = OpenWalk(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        open.items = 1
        open.total = 2
        var memory = SyncCycle.Memory()
        memory.walk = open
        expectWay(
            ListStyle(),
            knowing: memory,
            when: [.started, came(total: 2), repeated, closed],
            then: """
                ask list page 2, whatever is known
                apply
                close unnamed if nothing
                end complete
                """
        )
    }

    @Test func `a reading that was begun anew and interrupted begins anew`() {
        var memory = SyncCycle.Memory()
        memory.walk = OpenWalk(.list, run: "r")
        expectWay(
            knowing: memory,
            when: [.started, came(), applied, closed],
            then: """
                ask list page 1, whatever is known
                apply
                close unnamed
                end complete
                """
        )
    }
}
