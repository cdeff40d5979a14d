import Foundation
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// The pull of a resource in every path, as tables of events and resulting actions.
struct PullStateMachineTests {
    // MARK: Paths

    @Test func `a list is read page by page, and unlisted rows are deleted at its end`() {
        expectActions(
            when: [.started(nil), received(next: 2), applied, received(), applied, finished],
            then: """
                fetch list page 1
                apply
                fetch list page 2
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `a list without a total is read again before unlisted rows are deleted`() {
        var style = ResourceStyle()
        style.stability = .unstable
        expectActions(
            style,
            when: [
                .started(nil), received(), applied, unconfirmed("a"), received(), applied,
                unconfirmed("b"), received(),
                applied, unconfirmed("c"), finished,
            ],
            then: """
                fetch list page 1
                apply
                finish, deleting unlisted rows if nothing
                fetch list page 1
                apply
                finish, deleting unlisted rows if a
                fetch list page 1
                apply
                finish, deleting unlisted rows if b
                finish, deleting nothing
                end inconsistent
                """
        )
    }

    @Test func `an inconsistent list is read three times at most`() {
        var style = ResourceStyle()
        style.stability = .unstable
        expectActions(
            style,
            when: [
                .started(nil), received(next: 2, total: 4), applied, received(total: 3), applied,
                received(next: 2, total: 3), applied, received(total: 3), repeated,
                received(next: 2, total: 3), applied, received(total: 2), applied, finished,
            ],
            then: """
                fetch list page 1
                apply
                fetch list page 2
                apply
                fetch list page 1, with own cached pages
                apply
                fetch list page 2, with own cached pages
                apply
                fetch list page 1, with own cached pages
                apply
                fetch list page 2, with own cached pages
                apply
                finish, deleting nothing
                end inconsistent
                """
        )
    }

    @Test func `a list with fewer objects than its total is incomplete`() {
        var style = ResourceStyle()
        style.stability = .unstable
        expectActions(
            style,
            when: [.started(nil), received(total: 82), applied, finished],
            then: """
                fetch list page 1
                apply
                end failed: incomplete
                nothing
                """
        )
    }

    @Test func `a service that was reset is read from the start`() {
        var page = PageMetadata(count: 0)
        page.wasReset = true
        expectActions(
            Self.delta,
            initial: start,
            when: [.started(nil), .received(page), received(), applied, finished],
            then: """
                fetch changes since 7 page 1
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `a cursor that the service rejects leads to the whole list`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [.started(nil), .failed(.positionLost), received(), applied, finished],
            then: """
                fetch changes since 7 page 1
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `one request shows that a whole collection is not modified`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [.started(nil), .notModified(PageMetadata(count: 0))],
            then: """
                fetch changes since 7 page 1
                end unchanged
                """
        )
    }

    @Test func `unmodified pages are marked, and read again if their rows were deleted`() {
        expectActions(
            Self.stable,
            when: [
                .started(nil), .notModified(known(next: 2)), applied, .notModified(known()),
                .rowsMissing,
                received(),
                applied, finished,
            ],
            then: """
                fetch list page 1
                mark
                fetch list page 2
                mark
                fetch list page 2, without cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `an interrupted list resumes at its checkpoint, or restarts if that is invalid`() {
        var saved = PullCheckpoint(.list, run: "r", at: Self.page(5, before: 40))
        saved.items = 40
        expectActions(
            Self.stable,
            when: [.started(saved), received(), applied, finished],
            then: """
                fetch list page 5, without cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
        expectActions(
            Self.stable,
            when: [.started(saved), .failed(.positionLost), received(), applied, finished],
            then: """
                fetch list page 5, without cached pages
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `a failure in any state ends the pull`() {
        expectActions(
            Self.stable,
            when: [.started(nil), .failed(.other)],
            then: "fetch list page 1\nend failed"
        )
        expectActions(
            Self.stable,
            when: [.started(nil), .failed(.positionLost)],
            then: "fetch list page 1\nend failed"
        )
        expectActions(
            Self.stable,
            when: [.started(nil), received(), .failed(.other)],
            then: "fetch list page 1\napply\nend failed"
        )
        expectActions(
            Self.stable,
            when: [.started(nil), received(), applied, .failed(.other)],
            then: "fetch list page 1\napply\nfinish, deleting unlisted rows\nend failed"
        )
    }

    @Test func `a resource without deletion detection deletes nothing`() {
        var style = Self.stable
        style.deletes = .none
        expectActions(
            style,
            when: [.started(nil), received(), applied, finished],
            then: "fetch list page 1\napply\nfinish, deleting nothing\nend complete"
        )
    }

    // MARK: The table

    /// Events of every kind.
    private static var events: [PullStateMachine.Event] {
        [
            .started(nil), .received(PageMetadata(count: 1)), .notModified(PageMetadata(count: 0)),
            .applied(BatchResult(items: 1)), .rowsMissing,
            .finished(digest: nil, hasUnlistedRows: false),
            .counted(nil, stored: PullStateMachine.RowCounts(all: 0)), .failed(.other),
            .failed(.positionLost),
        ]
    }

    @Test func `an event that cannot occur in a state changes nothing`() {
        let expected: [(to: [PullStateMachine.Event], known: Set<Int>)] = [
            ([], [0, 7, 8]),
            ([.started(nil)], [1, 2, 7, 8]),
            ([.started(nil), received()], [3, 4, 7, 8]),
            ([.started(nil), received(), applied], [5, 7, 8]),
            ([.started(nil), received(), applied, finished], []),
        ]
        for (path, known) in expected {
            for (index, event) in Self.events.enumerated() {
                var machine = Self.machine(Self.stable, PullStateMachine.Start())
                for step in path { _ = machine.handle(step) }
                let before = machine
                let action = machine.handle(event)
                #expect((action != nil) == known.contains(index), "\(before.state), \(event)")
                if !known.contains(index) { #expect(machine == before) }
            }
        }
    }

    // MARK: Support

    static var stable: ResourceStyle {
        var style = ResourceStyle()
        style.stability = .stable
        return style
    }

    static var delta: ResourceStyle {
        var style = stable
        style.delta = .version(parameter: "_since")
        style.deletes = .marked(["deleted"])
        style.count = .head("Total")
        style.parameters.keys = [QueryItem("fields", "id")]
        style.validation = .collection
        return style
    }

    var start: PullStateMachine.Start {
        var start = PullStateMachine.Start()
        start.isCompleted = true
        start.cursor = "7"
        return start
    }

    static func resource(_ style: ResourceStyle) -> RemoteResource {
        RemoteResource(entity: "Thing", path: "things", style: style)
    }

    static func machine(
        _ style: ResourceStyle,
        _ start: PullStateMachine.Start
    ) -> PullStateMachine {
        PullStateMachine(resource(style), from: start, run: "this")
    }

    /// The position of a page of a list.
    static func page(_ number: Int, before: Int = 0) -> PullCheckpoint.Position {
        .page(url: url(page: number), number: number, before: before)
    }

    private static func url(page number: Int) -> URL {
        URL(filePath: "/things/\(number)")
    }

    private func request(page number: Int) -> PageRequest {
        PageRequest(
            resuming: Self.resource(Self.stable),
            at: Self.url(page: number),
            number: number,
            before: number - 1
        )
    }

    func received(
        next: Int? = nil,
        total: Int? = nil,
        cursor: String? = nil,
        latest: String? = nil,
        isCursorOver: Bool = true
    ) -> PullStateMachine.Event {
        var page = PageMetadata(count: 1)
        page.next = next.map(request(page:))
        page.total = total
        page.cursor = cursor
        page.isCursorOver = isCursorOver
        page.latest = (latest ?? cursor).flatMap { ChangeStamp($0) }
        return .received(page)
    }

    private func known(next: Int? = nil) -> PageMetadata {
        var page = PageMetadata(count: 1)
        page.next = next.map(request(page:))
        return page
    }

    var applied: PullStateMachine.Event { .applied(BatchResult(items: 1)) }

    var repeated: PullStateMachine.Event {
        .applied(BatchResult(items: 1, repeated: 1))
    }

    var finished: PullStateMachine.Event { .finished(digest: nil, hasUnlistedRows: false) }

    func unconfirmed(_ digest: String) -> PullStateMachine.Event { .unconfirmed(digest: digest) }

    func rows(_ all: Int, pending: Int = 0) -> PullStateMachine.RowCounts {
        PullStateMachine.RowCounts(all: all, pending: pending)
    }

    func expectActions(
        _ style: ResourceStyle = Self.stable,
        initial start: PullStateMachine.Start = PullStateMachine.Start(),
        when events: [PullStateMachine.Event],
        then actions: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var machine = Self.machine(style, start)
        let lines = events.map { machine.handle($0)?.line ?? "nothing" }
        #expect(lines.joined(separator: "\n") == actions, sourceLocation: sourceLocation)
    }
}
