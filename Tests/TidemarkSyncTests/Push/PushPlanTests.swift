import Testing
import TidemarkTestSupport

@testable import TidemarkSync

/// The order in which local changes are sent.
struct PushPlanTests {
    private typealias Row = PlannedChange.Row

    private func row(_ text: String) -> PlannedChange.Row {
        let parts = text.split(separator: "#")
        return Row(table: String(parts[0]), number: Int64(parts[1]) ?? 0)
    }

    /// Returns a change; references are written as `relationship>Row#1`, required ones with `!`.
    private func change(
        _ number: Int64,
        _ kind: PlannedChange.Kind,
        _ name: String,
        _ references: String...,
        released: [String] = [],
        key: String? = nil,
        isSendable: Bool = true,
        isFrozen: Bool = false
    ) -> PlannedChange {
        PlannedChange(
            number: number,
            row: row(name),
            kind: kind,
            isSendable: isSendable,
            isFrozen: isFrozen,
            references: references.map { text in
                let parts = text.split(separator: ">").map(String.init)
                return PlannedChange.Reference(
                    relationship: parts[0].replacing("!", with: ""),
                    row: row(parts[1]),
                    isOptional: !parts[0].hasSuffix("!")
                )
            },
            released: Set(released.map(row)),
            key: key
        )
    }

    private func text(_ changes: PlannedChange...) -> String {
        var plan = PushPlan(changes)
        let waves = plan.takeAll().map { wave in
            wave.map { change in
                let omitted = change.omitted.sorted().joined(separator: ",")
                return "\(change.number)\(omitted.isEmpty ? "" : " without \(omitted)")"
            }
            .joined(separator: ", ")
        }
        let blocked = plan.blocked.sorted { $0.key < $1.key }
            .map { "\($0.key) waits for \($0.value.table)#\($0.value.number)" }
        return (waves + blocked).joined(separator: "\n")
    }

    @Test func `changes that do not depend on each other are one wave, in the order of rows`() {
        #expect(
            text(
                change(3, .update, "Note#1"),
                change(1, .delete, "Tag#4"),
                change(2, .create, "Note#9")
            ) == "3, 2, 1"
        )
        #expect(text() == "")
    }

    @Test func `a creation comes before the changes that refer to the row`() {
        #expect(
            text(
                change(1, .create, "Task#1", "Task.project>Project#3"),
                change(2, .update, "Task#2", "Task.project>Project#3"),
                change(3, .create, "Project#3", "Project.owner>User#1"),
                change(4, .create, "User#1")
            ) == "4\n3\n1, 2"
        )
    }

    @Test func `a link is removed before the row that it led to`() {
        #expect(
            text(
                change(1, .delete, "Project#3"),
                change(2, .update, "Task#1", released: ["Project#3"]),
                change(3, .delete, "Task#2", "Task.project>Project#3")
            ) == "2, 3\n1"
        )
    }

    @Test func `a key is free before another row gets it`() {
        #expect(
            text(
                change(1, .create, "Tag#9", key: "a"),
                change(2, .delete, "Tag#1", key: "a"),
                change(3, .create, "Note#9", key: "a")
            ) == "3, 2\n1"
        )
    }

    @Test func `of rows that refer to each other one is created without an optional reference`() {
        #expect(
            text(
                change(1, .create, "A#1", "A.b!>B#1"),
                change(2, .create, "B#1", "B.a>A#1")
            ) == "2 without B.a\n1"
        )
        #expect(
            text(
                change(1, .create, "A#1", "A.next>A#2"),
                change(2, .create, "A#2", "A.next>A#3"),
                change(3, .create, "A#3", "A.next>A#1"),
                change(4, .update, "A#4", "A.next>A#2")
            ) == "1 without A.next\n3\n2\n4"
        )
        #expect(
            text(
                change(1, .create, "A#1", "A.b!>B#1"),
                change(2, .create, "B#1", "B.a!>A#1")
            ) == "1 without A.b\n2"
        )
        #expect(text(change(1, .create, "A#1", "A.self>A#1")) == "1")
    }

    @Test func `rows that referred to each other are deleted in some order`() {
        #expect(
            text(
                change(1, .delete, "A#1", "A.b>B#1"),
                change(2, .delete, "B#1", "B.a>A#1")
            ) == "1\n2"
        )
    }

    @Test func `an edit after a request waits until its outcome is known`() {
        #expect(
            text(
                change(1, .update, "Note#1", isFrozen: true),
                change(2, .delete, "Note#1"),
                change(3, .update, "Note#2")
            ) == "1, 3\n2"
        )
    }

    @Test func `a change that cannot be sent blocks its dependents, and nothing else`() {
        #expect(
            text(
                change(1, .create, "Project#3", isSendable: false, isFrozen: true),
                change(2, .create, "Task#1", "Task.project>Project#3"),
                change(3, .create, "Step#1", "Step.task>Task#1"),
                change(4, .update, "Note#1"),
                change(5, .update, "Project#3")
            ) == """
                4
                2 waits for Project#3
                3 waits for Project#3
                5 waits for Project#3
                """
        )
    }

    // MARK: Outcomes

    private func numbers(_ changes: [PlannedChange]) -> [Int64] { changes.map(\.number) }

    @Test func `what waits for a change is ready when that is applied, and not before`() {
        var plan = PushPlan([
            change(1, .create, "Project#1"),
            change(2, .create, "Task#1", "Task.project>Project#1"),
            change(3, .create, "Task#2", "Task.project>Project#1"),
            change(4, .create, "Note#1"),
        ])
        #expect(numbers(plan.takeReady()) == [4, 1])
        #expect(plan.takeReady().isEmpty)
        plan.finish(4)
        #expect(plan.takeReady().isEmpty)
        plan.finish(1)
        #expect(numbers(plan.takeReady()) == [2, 3])
        #expect(plan.count == 0)
    }

    @Test func `a change waits for those that are not in the plan`() {
        var plan = PushPlan()
        plan.add(
            [change(1, .create, "Task#1"), change(2, .create, "Task#2")],
            after: [1: [7: nil]]
        )
        #expect(numbers(plan.takeReady()) == [2])
        plan.add([change(7, .create, "Project#1")])
        #expect(numbers(plan.takeReady()) == [7])
        plan.finish(7)
        #expect(numbers(plan.takeReady()) == [1])
    }

    @Test func `rows that refer to each other are not sent first while one waits for another`() {
        let pair = [
            change(1, .create, "A#1", "A.b>B#1"), change(2, .create, "B#1", "B.a>A#1"),
        ]
        var plan = PushPlan(pair)
        plan.add([change(3, .create, "A#2")], after: [3: [9: nil]])
        #expect(numbers(plan.takeReady()) == [1])
        plan.finish(1)
        #expect(numbers(plan.takeReady()) == [2])
        #expect(plan.takeReady().isEmpty)
        var waiting = PushPlan()
        let edges = [1: [Int64(2): pair[0].references[0], 9: nil], 2: [1: pair[1].references[0]]]
        waiting.add(pair, after: edges.reduce(into: [:]) { $0[Int64($1.key)] = $1.value })
        #expect(waiting.takeReady().isEmpty)
        waiting.finish(9)
        #expect(numbers(waiting.takeReady()) == [1])
    }

    @Test func `changes that are removed from the plan are added again`() {
        var plan = PushPlan([
            change(1, .create, "Project#1"), change(2, .create, "Task#1", "Task.project>Project#1"),
        ])
        let isRemoved = plan.remove([2, 3])
        #expect(isRemoved)
        #expect(plan.count == 1)
        #expect(numbers(plan.takeReady()) == [1])
        plan.finish(1)
        let isStillThere = plan.remove([2])
        #expect(!isStillThere)
        plan.add([change(2, .create, "Task#1")])
        #expect(plan.isReady([2]))
        #expect(numbers(plan.takeReady()) == [2])
    }

    /// Plans that would take hours if each wave looked at all changes.
    @Test func `long chains, stars, trees and many cycles are planned in one pass`() {
        let count: Int64 = 20_000
        func waves(_ parent: (Int64) -> Int64?) -> Int {
            var plan = PushPlan(
                (1...count).map { number in
                    let reference = parent(number).map { "T.parent>T#\($0)" }
                    return reference.map { change(number, .create, "T#\(number)", $0) }
                        ?? change(number, .create, "T#\(number)")
                }
            )
            let waves = plan.takeAll()
            #expect(waves.map(\.count).reduce(0, +) == count)
            return waves.count
        }
        #expect(waves { $0 == 1 ? nil : $0 - 1 } == count, "a chain")
        #expect(waves { $0 == count ? nil : $0 + 1 } == count, "a chain in reverse")
        #expect(waves { $0 == 1 ? nil : 1 } == 2, "a star")
        #expect(waves { $0 == 1 ? nil : $0 / 2 } == 15, "a binary tree")
        #expect(waves { $0 == 1 ? count : $0 - 1 } == count, "one cycle")
        #expect(waves { $0 % 2 == 0 ? $0 - 1 : $0 + 1 } == 2, "pairs")
    }

    /// Every order respects the dependencies, every cycle is cut, and every change is either sent
    /// or blocked.
    @Test func `random plans are complete and ordered`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var changes: [PlannedChange] = []
            for number in 1...Int64.random(in: 1...12, using: &generator) {
                let kinds: [PlannedChange.Kind] = [.create, .create, .update, .delete]
                let kind = kinds.randomElement(using: &generator) ?? .create
                let references = (0..<Int.random(in: 0...2, using: &generator)).map { index in
                    "R.\(index)\(Bool.random(using: &generator) ? "!" : "")>T#"
                        + "\(Int64.random(in: 1...12, using: &generator))"
                }
                var planned = change(number, kind, "T#\(number)")
                planned.references = references.flatMap { change(0, .update, "T#0", $0).references }
                planned.isSendable = Int.random(in: 0..<8, using: &generator) > 0
                changes.append(planned)
            }
            var plan = PushPlan(changes)
            let order = plan.takeAll().flatMap(\.self)
            let sent = Set(order.map(\.number))
            let rest = Set(changes.filter(\.isSendable).map(\.number)).subtracting(sent)
            #expect(rest == Set(plan.blocked.keys), "seed \(seed)")
            #expect(order.count == sent.count, "seed \(seed)")
            var done: Set<Row> = []
            for change in order {
                for reference in change.references
                where change.kind != .delete && reference.row != change.row
                    && !change.omitted.contains(reference.relationship)
                {
                    let creation = changes.first { $0.row == reference.row && $0.kind == .create }
                    #expect(creation == nil || done.contains(reference.row), "seed \(seed)")
                }
                done.insert(change.row)
            }
        }
    }
}
