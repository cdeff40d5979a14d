import Foundation
import Testing
import TidemarkRemote

@testable import TidemarkSync

/// Resuming a list that an interrupted pull had begun.
extension PullStateMachineTests {
    @Test func `a position that is lost repeatedly fails the pull after two restarts`() {
        var open = PullCheckpoint(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        var memory = PullStateMachine.Memory()
        memory.walk = open
        let lost: [PullStateMachine.Event] = [came(next: 2), applied, .failed(.noSuchPlace)]
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, .failed(.noSuchPlace)] + lost + lost,
            then: """
                ask list page 2, whatever is known
                ask list page 1, trusting own pages
                apply
                ask list page 2, trusting own pages
                ask list page 1, trusting own pages
                apply
                ask list page 2, trusting own pages
                end failed
                """
        )
    }

    @Test func `a list without its import session is read from the start`() {
        var open = PullCheckpoint(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        var memory = PullStateMachine.Memory()
        memory.walk = open
        let begun = "ask list page 2, whatever is known\napply\n"
        let anew = "ask list page 1, trusting own pages\napply\nclose unnamed\nend complete"
        let rest: [PullStateMachine.Event] = [came(), applied, closed]
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

    @Test func `a resumed pull begins with its first attempt`() {
        var memory = PullStateMachine.Memory()
        memory.walk = PullCheckpoint(.list, run: "r")
        memory.walk?.next = URL(string: "https://a.example/things?page=2")
        memory.walk?.number = 2
        var cycle = Self.cycle(Self.stable, memory)
        _ = cycle.handle(.started)
        #expect(cycle.attempt == 1)
        _ = cycle.handle(.failed(.noSuchPlace))
        #expect(cycle.attempt == 2)
    }

    @Test func `objects that an interrupted pull had applied do not make the list inconsistent`() {
        var open = PullCheckpoint(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=2")
        open.number = 2
        open.items = 1
        open.total = 2
        var memory = PullStateMachine.Memory()
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

    @Test func `a restart that was interrupted at its first page starts again`() {
        var memory = PullStateMachine.Memory()
        memory.walk = PullCheckpoint(.list, run: "r")
        expectWay(
            knowing: memory,
            when: [.started, came(), applied, closed],
            then: """
                ask list page 1, trusting own pages
                apply
                close unnamed
                end complete
                """
        )
    }

    // MARK: After the changes

    /// The stored state after changes were read to their end, and before they were counted.
    private var uncounted: PullStateMachine.Memory {
        var memory = memory
        memory.walk = PullCheckpoint(recountSince: "7", run: "r")
        return memory
    }

    @Test func `changes whose count is unverified are requested again, and then all keys`() {
        expectWay(
            Self.delta,
            knowing: uncounted,
            when: [
                .started, came(), applied, closed, .counted(4, here: 3),
                came(), applied, closed,
            ],
            then: """
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

    @Test func `a recount remains a recount at its later pages`() {
        var memory = uncounted
        memory.walk?.next = URL(string: "https://a.example/things?page=2")
        memory.walk?.number = 2
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, came(), applied, closed, .counted(4, here: 3)],
            then: """
                ask changes since 7 page 2, whatever is known
                apply
                close nothing
                count
                ask keys page 1, trusting own pages
                """
        )
    }

    @Test func `the count is verified after an interrupted pull even if nothing has changed`() {
        var style = Self.delta
        style.validation = .pages
        expectWay(
            style,
            knowing: uncounted,
            when: [.started, .unchanged(PullStateMachine.KnownPage()), applied, closed],
            then: """
                ask changes since 7 page 1, trusting own pages
                mark
                close nothing
                count
                """
        )
    }

    @Test func `an interrupted list of keys is resumed before changes are requested`() {
        var memory = memory
        memory.walk = PullCheckpoint(.keys, run: "r")
        memory.walk?.next = URL(string: "https://a.example/things?fields=id")
        var cycle = Self.cycle(Self.delta, memory)
        #expect(cycle.handle(.started)?.line == "ask keys page 1, whatever is known")
        #expect(cycle.isSequel)
        #expect(cycle.handle(.failed(.noSuchPlace))?.line == "end failed")
    }

    @Test func `unknown keys lead to the whole list, even if an interrupted pull has read them`() {
        var memory = memory
        memory.walk = PullCheckpoint(.keys, run: "r")
        memory.walk?.next = URL(string: "https://a.example/things?fields=id&page=2")
        memory.walk?.number = 2
        memory.walk?.unknown = 1
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, came(), applied, closed, came(), applied, closed],
            then: """
                ask keys page 2, whatever is known
                apply
                close unnamed
                ask list page 1, trusting own pages
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `a read that has to confirm another one still does so after a restart`() {
        var style = ListStyle()
        style.drift = .possible
        var memory = PullStateMachine.Memory()
        memory.walk = PullCheckpoint(.list, run: "r")
        memory.walk?.expected = "a"
        expectWay(
            style,
            knowing: memory,
            when: [.started, came(), applied, closed],
            then: """
                ask list page 1, trusting own pages
                apply
                close unnamed if a
                end complete
                """
        )
        memory.isCompleted = true
        memory.cursor = "7"
        style.delta = .version(parameter: "_since")
        style.deletes = .none
        var cycle = Self.cycle(style, memory)
        #expect(cycle.handle(.started)?.line == "ask changes since 7 page 1, trusting own pages")
        #expect(cycle.walk.expected == nil)
    }
}
