import Foundation
import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// The pull of a resource in every path, as tables of events and resulting actions.
struct PullStateMachineTests {
    // MARK: Paths

    @Test func `a list is read page by page, and unlisted rows are deleted at its end`() {
        expectWay(
            when: [.started, came(next: 2), applied, came(), applied, closed],
            then: """
                ask list page 1
                apply
                ask list page 2
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `a list without a total is read again before unlisted rows are deleted`() {
        var style = ListStyle()
        style.drift = .possible
        expectWay(
            style,
            when: [
                .started, came(), applied, unproved("a"), came(), applied, unproved("b"), came(),
                applied, unproved("c"), closed,
            ],
            then: """
                ask list page 1
                apply
                close unnamed if nothing
                ask list page 1
                apply
                close unnamed if a
                ask list page 1
                apply
                close unnamed if b
                close nothing
                end inconsistent
                """
        )
    }

    @Test func `an inconsistent list is read three times at most`() {
        var style = ListStyle()
        style.drift = .possible
        expectWay(
            style,
            when: [
                .started, came(next: 2, total: 4), applied, came(total: 3), applied,
                came(next: 2, total: 3), applied, came(total: 3), repeated,
                came(next: 2, total: 3), applied, came(total: 2), applied, closed,
            ],
            then: """
                ask list page 1
                apply
                ask list page 2
                apply
                ask list page 1, trusting own pages
                apply
                ask list page 2, trusting own pages
                apply
                ask list page 1, trusting own pages
                apply
                ask list page 2, trusting own pages
                apply
                close nothing
                end inconsistent
                """
        )
    }

    @Test func `a list with fewer objects than its total is incomplete`() {
        var style = ListStyle()
        style.drift = .possible
        expectWay(
            style,
            when: [.started, came(total: 82), applied, closed],
            then: """
                ask list page 1
                apply
                end incomplete(items: 1, total: 82)
                nothing
                """
        )
    }

    @Test func `a service that was reset is read from the start`() {
        var facts = PageMetadata(count: 0)
        facts.wasReset = true
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, .came(facts), came(), applied, closed],
            then: """
                ask changes since 7 page 1
                ask list page 1, trusting own pages
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `a cursor that the service rejects leads to the whole list`() {
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, .failed(.noSuchPlace), came(), applied, closed],
            then: """
                ask changes since 7 page 1
                ask list page 1, trusting own pages
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `one request shows that a whole collection is not modified`() {
        expectWay(
            Self.delta,
            knowing: memory,
            when: [.started, .unchanged(PullStateMachine.KnownPage())],
            then: """
                ask changes since 7 page 1
                end unchanged
                """
        )
    }

    @Test func `unmodified pages are marked, and read again if their rows were deleted`() {
        expectWay(
            Self.stable,
            when: [
                .started, .unchanged(known(next: 2)), applied, .unchanged(known()), .outdated,
                came(),
                applied, closed,
            ],
            then: """
                ask list page 1
                mark
                ask list page 2
                mark
                ask list page 2, whatever is known
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `an interrupted list resumes at its checkpoint, or restarts if that is invalid`() {
        var open = PullCheckpoint(.list, run: "r")
        open.next = URL(string: "https://a.example/things?page=5")
        open.number = 5
        open.before = 40
        var memory = PullStateMachine.Memory()
        memory.walk = open
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, came(), applied, closed],
            then: """
                ask list page 5, whatever is known
                apply
                close unnamed
                end complete
                """
        )
        expectWay(
            Self.stable,
            knowing: memory,
            when: [.started, .failed(.noSuchPlace), came(), applied, closed],
            then: """
                ask list page 5, whatever is known
                ask list page 1, trusting own pages
                apply
                close unnamed
                end complete
                """
        )
    }

    @Test func `a failure in any state ends the pull`() {
        expectWay(
            Self.stable,
            when: [.started, .failed(.other)],
            then: "ask list page 1\nend failed"
        )
        expectWay(
            Self.stable,
            when: [.started, .failed(.noSuchPlace)],
            then: "ask list page 1\nend failed"
        )
        expectWay(
            Self.stable,
            when: [.started, came(), .failed(.other)],
            then: "ask list page 1\napply\nend failed"
        )
        expectWay(
            Self.stable,
            when: [.started, came(), applied, .failed(.other)],
            then: "ask list page 1\napply\nclose unnamed\nend failed"
        )
    }

    @Test func `a resource without deletion detection deletes nothing`() {
        var style = Self.stable
        style.deletes = .none
        expectWay(
            style,
            when: [.started, came(), applied, closed],
            then: "ask list page 1\napply\nclose nothing\nend complete"
        )
    }

    // MARK: The table

    /// Events of every kind.
    private static var events: [PullStateMachine.Event] {
        [
            .started, .came(PageMetadata(count: 1)), .unchanged(PullStateMachine.KnownPage()),
            .applied(PullStateMachine.AppliedPage(items: 1)), .outdated,
            .closed(PullStateMachine.ClosedWalk()),
            .counted(nil, here: 0), .failed(.other), .failed(.noSuchPlace),
        ]
    }

    @Test func `an event that cannot occur in a state changes nothing`() {
        let expected: [(to: [PullStateMachine.Event], known: Set<Int>)] = [
            ([], [0, 7, 8]),
            ([.started], [1, 2, 7, 8]),
            ([.started, came()], [3, 4, 7, 8]),
            ([.started, came(), applied], [5, 7, 8]),
            ([.started, came(), applied, closed], []),
        ]
        for (path, known) in expected {
            for (index, event) in Self.events.enumerated() {
                var cycle = Self.cycle(Self.stable, PullStateMachine.Memory())
                for step in path { _ = cycle.handle(step) }
                let before = cycle
                let action = cycle.handle(event)
                #expect((action != nil) == known.contains(index), "\(before.state), \(event)")
                if !known.contains(index) { #expect(cycle == before) }
            }
        }
    }

    // MARK: Support

    static var stable: ListStyle {
        var style = ListStyle()
        style.drift = .none
        return style
    }

    static var delta: ListStyle {
        var style = stable
        style.delta = .version(parameter: "_since")
        style.deletes = .marked(["deleted"])
        style.count = .head("Total")
        style.keys = [QueryItem("fields", "id")]
        style.validation = .collection
        return style
    }

    var memory: PullStateMachine.Memory {
        var memory = PullStateMachine.Memory()
        memory.isCompleted = true
        memory.cursor = "7"
        return memory
    }

    static func resource(_ style: ListStyle) -> RemoteResource {
        RemoteResource(entity: "Thing", path: "things", style: style)
    }

    static func cycle(_ style: ListStyle, _ memory: PullStateMachine.Memory) -> PullStateMachine {
        PullStateMachine(resource(style), memory, run: "this")
    }

    private func place(_ number: Int?) -> PageRequest? {
        number.flatMap { number in
            URL(string: "https://a.example/things?page=\(number)").map {
                PageRequest(
                    resuming: Self.resource(Self.stable),
                    at: $0,
                    number: number,
                    before: number - 1
                )
            }
        }
    }

    func came(
        next: Int? = nil,
        total: Int? = nil,
        cursor: String? = nil,
        latest: String? = nil,
        isCursorOver: Bool = true
    ) -> PullStateMachine.Event {
        var facts = PageMetadata(count: 1)
        facts.next = place(next)
        facts.total = total
        facts.cursor = cursor
        facts.isCursorOver = isCursorOver
        facts.latest = (latest ?? cursor).flatMap { ChangeStamp($0) }
        return .came(facts)
    }

    private func known(next: Int? = nil) -> PullStateMachine.KnownPage {
        var page = PullStateMachine.KnownPage()
        page.next = place(next)
        page.count = 1
        return page
    }

    var applied: PullStateMachine.Event { .applied(PullStateMachine.AppliedPage(items: 1)) }

    var repeated: PullStateMachine.Event {
        .applied(PullStateMachine.AppliedPage(items: 0, repeated: 1))
    }

    var closed: PullStateMachine.Event { .closed(PullStateMachine.ClosedWalk()) }

    func unproved(_ digest: String) -> PullStateMachine.Event {
        .closed(PullStateMachine.ClosedWalk(isUnproved: true, digest: digest))
    }

    func expectWay(
        _ style: ListStyle = Self.stable,
        knowing memory: PullStateMachine.Memory = PullStateMachine.Memory(),
        when events: [PullStateMachine.Event],
        then actions: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var cycle = Self.cycle(style, memory)
        let lines = events.map { cycle.handle($0)?.line ?? "nothing" }
        #expect(lines.joined(separator: "\n") == actions, sourceLocation: sourceLocation)
    }
}
