import Foundation
import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkSync

/// The cursor that is saved after a list.
extension PullStateMachineTests {
    /// The style of Rails: changes by time, numbered pages.
    private static var counted: ListStyle {
        var style = ListStyle()
        style.delta = .since(ChangeQuery.Since(field: ["at"], condition: .parameter("since")))
        style.deletes = .none
        return style
    }

    private func candidate(
        _ style: ListStyle,
        _ events: [PullStateMachine.Event],
        knowing memory: PullStateMachine.Memory? = nil
    ) -> String? {
        var cycle = Self.cycle(style, memory ?? self.memory)
        for event in events { _ = cycle.handle(event) }
        #expect(cycle.state == .closing)
        return cycle.walk.candidate
    }

    @Test func `changes that moved between pages do not advance the cursor`() {
        let pages: (Int?, Int?) -> [PullStateMachine.Event] = { first, second in
            [
                .started, self.came(next: 2, total: first, cursor: "9"), self.applied,
                self.came(total: second), self.applied,
            ]
        }
        #expect(candidate(Self.counted, pages(2, 2)) == "9")
        let unsure = [unproved("a")] + pages(nil, nil).dropFirst()
        #expect(candidate(Self.counted, pages(nil, nil) + unsure) == "9")
        #expect(
            candidate(Self.counted, pages(nil, nil) + unsure + unsure + unsure.prefix(1)) == nil
        )
        let again = pages(3, 2).dropFirst()
        #expect(candidate(Self.counted, pages(3, 2) + again + again) == nil)
        #expect(candidate(Self.counted, [.started, came(cursor: "9"), applied]) == "9")
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
        var knowing = memory
        knowing.latest = ChangeStamp("12")
        let end = Self.counted
        let page = came(cursor: "9", latest: "14")
        #expect(candidate(end, [.started, page, applied], knowing: knowing) == "12")
        #expect(candidate(end, [.started, page, applied]) == "9")
        knowing.latest = ChangeStamp("8")
        #expect(candidate(end, [.started, page, applied], knowing: knowing) == "9")
        // The stamps of the first read precede the second read.
        let pages = [came(next: 2, cursor: "9", latest: "9"), applied, came(latest: "14"), applied]
        let twice = [.started] + pages + [unproved("a")] + pages
        #expect(candidate(end, twice) == "14")
        // An inconsistent list may have skipped changes.
        let moving = [came(next: 2, total: 3, cursor: "9", latest: "14"), applied, came(total: 2)]
        let thrice = moving + [applied] + moving + [applied] + moving + [applied]
        #expect(candidate(end, [.started] + thrice, knowing: knowing) == nil)
    }

    @Test func `the cursor stops at a time that has not passed yet, if more pages follow`() {
        var style = Self.counted
        style.drift = .none
        func reached(_ areOver: Bool...) -> String? {
            let pages = areOver.enumerated().flatMap { number, isOver -> [PullStateMachine.Event] in
                let next = number == areOver.count - 1 ? nil : number + 2
                let cursor = "\(number + 1)"
                return [came(next: next, cursor: cursor, isCursorOver: isOver), applied]
            }
            return candidate(style, [.started] + pages, knowing: PullStateMachine.Memory())
        }
        #expect(reached(true, true, true) == "3")
        #expect(reached(true, true, false) == "3")
        #expect(reached(true, false, true) == "2")
        #expect(reached(false, true, true) == "1")
        #expect(reached(false) == "1")
    }

    @Test func `changes that may be reported late are requested again`() {
        var style = Self.counted
        style.delta = .since(
            ChangeQuery.Since(field: ["at"], condition: .parameter("since"), overlap: .seconds(90))
        )
        var memory = memory
        memory.cursor = "2026-11-22T00:01:00Z"
        expectWay(
            style,
            knowing: memory,
            when: [.started, came(cursor: "2026-11-22T00:01:00Z"), applied, closed],
            then: """
                ask changes since 2026-11-21T23:59:30Z page 1
                apply
                close nothing
                end complete
                """
        )
    }

    @Test func `stamps from before a reset of the service are ignored`() {
        var knowing = memory
        knowing.latest = ChangeStamp("12")
        var flushed = PageMetadata(count: 0)
        flushed.wasReset = true
        let page = came(cursor: "3", latest: "3")
        let way: [PullStateMachine.Event] = [.started, .came(flushed), page, applied]
        #expect(candidate(Self.counted, way, knowing: knowing) == "3")
    }

    @Test func `changes on several pages advance the cursor if two reads contain the same objects`()
    {
        let pages = [came(next: 2, total: 2, cursor: "9"), applied, came(total: 2), applied]
        expectWay(
            Self.counted,
            knowing: memory,
            when: [.started] + pages + [unproved("a")] + pages + [closed],
            then: """
                ask changes since 7 page 1
                apply
                ask list page 2
                apply
                close nothing if nothing
                ask changes since 7 page 1
                apply
                ask list page 2
                apply
                close nothing if a
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
        var cycle = Self.cycle(style, memory)
        func go(on since: String, page: Int) -> PullStateMachine.Action? {
            var facts = PageMetadata(count: 1)
            facts.next = URL(string: "https://a.example/things?since=\(since)&page=\(page)").map {
                PageRequest(
                    resuming: Self.resource(style),
                    for: .changes(since: since),
                    at: $0,
                    number: page
                )
            }
            _ = cycle.handle(.came(facts))
            return cycle.handle(applied)
        }
        _ = cycle.handle(.started)
        #expect(go(on: "8", page: 2)?.line == "ask changes since 8 page 2")
        #expect(cycle.walk.leg == .changes(since: "8"))
        #expect(!cycle.walk.isCounted)
        #expect(go(on: "8", page: 3)?.line == "ask changes since 8 page 3")
        #expect(cycle.walk.isCounted)
        _ = cycle.handle(came(total: 9, latest: "9"))
        #expect(cycle.handle(repeated)?.line == "close nothing if nothing")
        #expect(cycle.handle(unproved("a"))?.line == "ask changes since 7 page 1")
        #expect(!cycle.walk.isCounted)
    }
}
