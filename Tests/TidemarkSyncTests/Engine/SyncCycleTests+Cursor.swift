import Testing
import TidemarkRemote

@testable import TidemarkSync

/// How far a list proves that changes were read.
extension SyncCycleTests {
    /// Rails' way: changes by time, pages that are counted.
    private static var counted: ListStyle {
        var style = ListStyle()
        style.delta = .since(Delta.Since(field: ["at"], condition: .parameter("since")))
        style.deletes = .none
        return style
    }

    private func candidate(_ style: ListStyle, _ events: [SyncCycle.Event]) -> String? {
        var cycle = Self.cycle(style, memory)
        for event in events { _ = cycle.handle(event) }
        #expect(cycle.state == .closing)
        return cycle.walk.candidate
    }

    @Test func `changes that moved between pages are not taken for read`() {
        let pages: (Int?, Int?) -> [SyncCycle.Event] = { first, second in
            [
                .started, self.came(next: 2, total: first, cursor: "9"), self.applied,
                self.came(total: second), self.applied,
            ]
        }
        #expect(candidate(Self.counted, pages(2, 2)) == "9")
        #expect(candidate(Self.counted, pages(nil, nil)) == nil)
        let again = pages(3, 2).dropFirst()
        #expect(candidate(Self.counted, pages(3, 2) + again + again) == nil)
        #expect(candidate(Self.counted, [.started, came(cursor: "9"), applied]) == "9")
        var ordered = Self.counted
        ordered.delta = .since(
            Delta.Since(
                field: ["at"],
                condition: .parameter("since"),
                order: [QueryItem("sort", "at")]
            )
        )
        #expect(candidate(ordered, pages(3, 2)) == "9")
    }
}
