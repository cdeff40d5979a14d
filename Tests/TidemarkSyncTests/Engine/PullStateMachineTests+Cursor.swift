import Foundation
import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// The cursor that is saved after a list.
extension PullStateMachineTests {
    /// The style of Rails: changes by time, numbered pages.
    private static var counted: ResourceStyle {
        var style = ResourceStyle()
        style.delta = .since(ChangeQuery.Since(field: ["at"], condition: .parameter("since")))
        style.deletes = .none
        return style
    }

    private func candidate(
        _ style: ResourceStyle,
        _ events: [PullStateMachine.Event],
        initial start: PullStateMachine.Start? = nil
    ) -> String? {
        var machine = Self.machine(style, start ?? self.start)
        for event in events { _ = machine.handle(event) }
        #expect(machine.state == .finishing)
        return machine.checkpoint.cursor.candidate
    }

    @Test func `changes that moved between pages do not advance the cursor`() {
        let pages: (Int?, Int?) -> [PullStateMachine.Event] = { first, second in
            [
                .started(nil), self.received(next: 2, total: first, cursor: "9"), self.applied,
                self.received(total: second), self.applied,
            ]
        }
        #expect(candidate(Self.counted, pages(2, 2)) == "9")
        let unconfirmedPages = [unconfirmed("a")] + pages(nil, nil).dropFirst()
        #expect(candidate(Self.counted, pages(nil, nil) + unconfirmedPages) == "9")
        #expect(
            candidate(
                Self.counted,
                pages(nil, nil) + unconfirmedPages + unconfirmedPages + unconfirmedPages.prefix(1)
            ) == nil
        )
        let again = pages(3, 2).dropFirst()
        #expect(candidate(Self.counted, pages(3, 2) + again + again) == nil)
        #expect(candidate(Self.counted, [.started(nil), received(cursor: "9"), applied]) == "9")
        var ordered = Self.counted
        ordered.delta = .since(
            ChangeQuery.Since(
                field: ["at"],
                condition: .parameter("since"),
                order: [QueryItem("sort", "at")]
            )
        )
        #expect(candidate(ordered, pages(3, 2)) == "9")
    }

    @Test func `unsorted changes advance the cursor no further than the latest earlier stamp`() {
        var initial = start
        initial.latest = ChangeStamp("12")
        let end = Self.counted
        let page = received(cursor: "9", latest: "14")
        #expect(candidate(end, [.started(nil), page, applied], initial: initial) == "12")
        #expect(candidate(end, [.started(nil), page, applied]) == "9")
        initial.latest = ChangeStamp("8")
        #expect(candidate(end, [.started(nil), page, applied], initial: initial) == "9")
        // The stamps of the first read precede the second read.
        let pages = [
            received(next: 2, cursor: "9", latest: "9"), applied, received(latest: "14"), applied,
        ]
        let twice = [.started(nil)] + pages + [unconfirmed("a")] + pages
        #expect(candidate(end, twice) == "14")
        // An inconsistent list may have skipped changes.
        let moving = [
            received(next: 2, total: 3, cursor: "9", latest: "14"), applied, received(total: 2),
        ]
        let threeReads = moving + [applied] + moving + [applied] + moving + [applied]
        #expect(candidate(end, [.started(nil)] + threeReads, initial: initial) == nil)
    }

    @Test func `the cursor stops at a time that has not passed yet, if more pages follow`() {
        var style = Self.counted
        style.stability = .stable
        func finalCursor(_ passed: Bool...) -> String? {
            let pages = passed.enumerated().flatMap { number, isOver -> [PullStateMachine.Event] in
                let next = number == passed.count - 1 ? nil : number + 2
                let cursor = "\(number + 1)"
                return [received(next: next, cursor: cursor, isCursorOver: isOver), applied]
            }
            return candidate(style, [.started(nil)] + pages, initial: PullStateMachine.Start())
        }
        #expect(finalCursor(true, true, true) == "3")
        #expect(finalCursor(true, true, false) == "3")
        #expect(finalCursor(true, false, true) == "2")
        #expect(finalCursor(false, true, true) == "1")
        #expect(finalCursor(false) == "1")
    }

    @Test func `changes that may be reported late are requested again`() {
        var style = Self.counted
        style.delta = .since(
            ChangeQuery.Since(field: ["at"], condition: .parameter("since"), overlap: .seconds(90))
        )
        var start = start
        start.cursor = "2026-11-22T00:01:00Z"
        expectActions(
            style,
            initial: start,
            when: [.started(nil), received(cursor: "2026-11-22T00:01:00Z"), applied, finished],
            then: """
                fetch changes since 2026-11-21T23:59:30Z page 1
                apply
                finish, deleting nothing
                end complete
                """
        )
    }

    @Test func `stamps from before a reset of the service are ignored`() {
        var initial = start
        initial.latest = ChangeStamp("12")
        var resetCollection = PageMetadata(count: 0)
        resetCollection.wasReset = true
        let page = received(cursor: "3", latest: "3")
        let events: [PullStateMachine.Event] = [
            .started(nil), .received(resetCollection), page, applied,
        ]
        #expect(candidate(Self.counted, events, initial: initial) == "3")
    }

    @Test func `changes on several pages advance the cursor if two reads contain the same objects`()
    {
        let pages = [
            received(next: 2, total: 2, cursor: "9"), applied, received(total: 2), applied,
        ]
        expectActions(
            Self.counted,
            initial: start,
            when: [.started(nil)] + pages + [unconfirmed("a")] + pages + [finished],
            then: """
                fetch changes since 7 page 1
                apply
                fetch list page 2
                apply
                finish, deleting nothing if nothing
                fetch changes since 7 page 1
                apply
                fetch list page 2
                apply
                finish, deleting nothing if a
                end complete
                """
        )
    }

    @Test
    func `sorted changes advance the cursor per page, and pages of one instant are confirmed`() {
        var style = Self.counted
        style.delta = .since(
            ChangeQuery.Since(
                field: ["at"],
                condition: .parameter("since"),
                order: [QueryItem("sort", "at")]
            )
        )
        var machine = Self.machine(style, start)
        func apply(changesSince since: String, page number: Int) -> PullStateMachine.Action? {
            var page = PageMetadata(count: 1)
            page.next = URL(string: "https://a.example/things?since=\(since)&page=\(number)").map {
                PageRequest(
                    resuming: Self.resource(style),
                    for: .changes(since: since),
                    at: $0,
                    number: number
                )
            }
            _ = machine.handle(.received(page))
            return machine.handle(applied)
        }
        _ = machine.handle(.started(nil))
        #expect(apply(changesSince: "8", page: 2)?.line == "fetch changes since 8 page 2")
        #expect(machine.checkpoint.mode == .changes(since: "8"))
        #expect(!machine.checkpoint.isPagedByNumber)
        #expect(apply(changesSince: "8", page: 3)?.line == "fetch changes since 8 page 3")
        #expect(machine.checkpoint.isPagedByNumber)
        _ = machine.handle(received(total: 9, latest: "9"))
        #expect(machine.handle(repeated)?.line == "finish, deleting nothing if nothing")
        #expect(machine.handle(unconfirmed("a"))?.line == "fetch changes since 7 page 1")
        #expect(!machine.checkpoint.isPagedByNumber)
    }
}
