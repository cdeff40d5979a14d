import Testing
import TidemarkRemote

@testable import TidemarkSync

/// Resuming a list that an interrupted pull had begun.
extension PullStateMachineTests {
    @Test func `a position that is lost repeatedly fails the pull after two restarts`() {
        let saved = PullCheckpoint(.list, run: "r", at: Self.page(2))
        let lost: [PullStateMachine.Event] = [received(next: 2), applied, .failed(.positionLost)]
        expectActions(
            Self.stable,
            when: [.started(saved), .failed(.positionLost)] + lost + lost,
            then: """
                fetch list page 2, without cached pages
                fetch list page 1, with own cached pages
                apply
                fetch list page 2, with own cached pages
                fetch list page 1, with own cached pages
                apply
                fetch list page 2, with own cached pages
                end failed
                """
        )
    }

    @Test func `a list without its import session is read from the start`() {
        let saved = PullCheckpoint(.list, run: "r", at: Self.page(2))
        let begun = "fetch list page 2, without cached pages\napply\n"
        let again = """
            fetch list page 1, with own cached pages
            apply
            finish, deleting unlisted rows
            end complete
            """
        let rest: [PullStateMachine.Event] = [received(), applied, finished]
        expectActions(
            Self.stable,
            when: [.started(saved), received(), .failed(.positionLost)] + rest,
            then: begun + again
        )
        expectActions(
            Self.stable,
            when: [.started(saved), received(), applied, .failed(.positionLost)] + rest,
            then: begun + "finish, deleting unlisted rows\n" + again
        )
    }

    @Test func `a resumed pull begins with its first attempt`() {
        let saved = PullCheckpoint(.list, run: "r", at: Self.page(2))
        var machine = Self.machine(Self.stable, PullStateMachine.Start())
        _ = machine.handle(.started(saved))
        #expect(machine.attempt == 1)
        _ = machine.handle(.failed(.positionLost))
        #expect(machine.attempt == 2)
    }

    @Test func `objects that an interrupted pull had applied do not make the list inconsistent`() {
        var saved = PullCheckpoint(.list, run: "r", at: Self.page(2))
        saved.items = 1
        saved.total = 2
        expectActions(
            ResourceStyle(),
            when: [.started(saved), received(total: 2), repeated, finished],
            then: """
                fetch list page 2, without cached pages
                apply
                finish, deleting unlisted rows if nothing
                end complete
                """
        )
    }

    @Test func `a restart that was interrupted at its first page starts again`() {
        expectActions(
            when: [.started(PullCheckpoint(.list, run: "r")), received(), applied, finished],
            then: """
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    // MARK: After the changes

    /// The checkpoint after changes were read to their end, and before they were counted.
    private var uncounted: PullCheckpoint { PullCheckpoint(recountSince: "7", run: "r") }

    @Test func `changes whose count is unverified are requested again, and then all keys`() {
        expectActions(
            Self.delta,
            initial: start,
            when: [
                .started(uncounted), received(), applied, finished, .counted(4, stored: rows(3)),
                received(), applied, finished,
            ],
            then: """
                fetch changes since 7 page 1, with own cached pages
                apply
                finish, deleting nothing
                count
                fetch keys page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `a recount remains a recount at its later pages`() {
        var saved = uncounted
        saved.position = Self.page(2)
        expectActions(
            Self.delta,
            initial: start,
            when: [.started(saved), received(), applied, finished, .counted(4, stored: rows(3))],
            then: """
                fetch changes since 7 page 2, without cached pages
                apply
                finish, deleting nothing
                count
                fetch keys page 1, with own cached pages
                """
        )
    }

    @Test func `the count is verified after an interrupted pull even if nothing has changed`() {
        var style = Self.delta
        style.validation = .pages
        expectActions(
            style,
            initial: start,
            when: [.started(uncounted), .notModified(PageMetadata(count: 0)), applied, finished],
            then: """
                fetch changes since 7 page 1, with own cached pages
                mark
                finish, deleting nothing
                count
                """
        )
    }

    @Test func `an interrupted list of keys is resumed before changes are requested`() {
        let saved = PullCheckpoint(.keys, run: "r", at: .firstPage)
        var machine = Self.machine(Self.delta, start)
        #expect(machine.handle(.started(saved))?.line == "fetch keys page 1, without cached pages")
        #expect(machine.firstCheckpoint == saved)
        #expect(machine.handle(.failed(.positionLost))?.line == "end failed")
    }

    @Test func `unknown keys lead to the whole list, even if an interrupted pull has read them`() {
        var saved = PullCheckpoint(.keys, run: "r", at: Self.page(2))
        saved.itemsWithoutRow = 1
        expectActions(
            Self.delta,
            initial: start,
            when: [.started(saved), received(), applied, finished, received(), applied, finished],
            then: """
                fetch keys page 2, without cached pages
                apply
                finish, deleting unlisted rows
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `a read that has to confirm another one still does so after a restart`() {
        var style = ResourceStyle()
        style.stability = .unstable
        var saved = PullCheckpoint(.list, run: "r")
        saved.expectedDigest = "a"
        expectActions(
            style,
            when: [.started(saved), received(), applied, finished],
            then: """
                fetch list page 1, with own cached pages
                apply
                finish, deleting unlisted rows if a
                end complete
                """
        )
        style.delta = .version(parameter: "_since")
        style.deletes = .none
        var machine = Self.machine(style, start)
        let first = machine.handle(.started(saved))
        #expect(first?.line == "fetch changes since 7 page 1, with own cached pages")
        #expect(machine.checkpoint.expectedDigest == nil)
    }
}
