import Testing
import TidemarkImport
import TidemarkRemote

@testable import TidemarkSync

/// Objects with the same key in a list whose key was guessed.
extension PullStateMachineTests {
    private static var guessed: PullStateMachine.Start {
        var start = PullStateMachine.Start()
        start.isKeyGuessed = true
        return start
    }

    @Test func `a list with repeated keys fails if it still has them when it is read again`() {
        expectActions(
            initial: Self.guessed,
            when: [
                .started(nil), received(next: 2), applied, received(), repeated,
                received(next: 2), applied, received(), repeated,
                received(next: 2), applied, received(), repeated,
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
                end failed: repeatedKey
                """
        )
    }

    @Test func `an object that has only moved between pages does not fail the pull`() {
        expectActions(
            initial: Self.guessed,
            when: [
                .started(nil), received(next: 2), applied, received(), repeated,
                received(next: 2), applied, received(), applied, finished,
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
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `two objects of one page with the same key fail at once`() {
        let duplicate = PullStateMachine.Event.applied(BatchResult(items: 2, duplicates: 1))
        expectActions(
            initial: Self.guessed,
            when: [.started(nil), received(next: 2), duplicate, received()],
            then: """
                fetch list page 1
                apply
                end failed: repeatedKey
                nothing
                """
        )
        expectActions(
            when: [.started(nil), received(), duplicate, finished],
            then: """
                fetch list page 1
                apply
                finish, deleting unlisted rows
                end complete
                """
        )
    }

    @Test func `the pull after a repeated key does not resume behind it`() {
        var machine = PullStateMachine(
            RemoteResource(entity: "A", path: "a"),
            from: Self.guessed,
            run: "r"
        )
        for event in [
            PullStateMachine.Event.started(nil), received(next: 2), applied, received(next: 3),
        ] {
            _ = machine.handle(event)
        }
        _ = machine.handle(.applied(BatchResult(items: 2, duplicates: 1)))
        #expect(machine.checkpoint.position == .restart)
    }
}
