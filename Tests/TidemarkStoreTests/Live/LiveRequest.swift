import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A random request.
struct LiveRequest: CustomStringConvertible {
    private(set) var request = Person.all
    private(set) var window: Range<Int>?

    /// The title of the section of a record.
    private(set) var title: (@Sendable (Person) -> String)?

    let description: String

    init(_ seed: UInt64) {
        var chance = Chance(seed: seed, for: "request")
        var parts: [String] = []
        let filters: [(String, RecordPredicateMaker?)] = [
            ("all", nil), ("all", nil),
            ("age", { $0.age > 20 }), ("active", { $0.isActive == true }),
            ("company", { $0.company.name == "a" }), ("no company", { $0.company == nil }),
            ("company row", { $0.company == RowID(1) }),
            ("notes", { $0.notes.contains { $0.text == "a" && !$0.isDone } }),
            ("no notes", { $0.notes.isEmpty }), ("note count", { $0.notes.count > 1 }),
            ("teams", { $0.teams.count > 0 }), ("boss", { $0.boss.name.hasPrefix("a") }),
            ("badge", { $0.badge.number > 3 }),
            ("team", { $0.team.contains { $0.age > 20 } }),
            ("nested", { $0.company.people.contains { $0.notes.contains { $0.isDone } } }),
            ("outer", { person in person.notes.contains { $0.text == person.name } }),
            ("sql", { _ in .sql("length(name) > ?", 0) }),
        ]
        let (name, filter) = chance.pick(filters)
        parts.append(name)
        if let filter { request = request.filter(filter) }
        for _ in 0..<chance.number(0...2) {
            let direction: SortDirection = chance.happens(50) ? .ascending : .descending
            let sorts: [(String, (EntityRequest<Person>) -> EntityRequest<Person>)] = [
                ("name", { $0.sorted(by: \.name, direction) }),
                ("folded", { $0.sorted(by: \.name, direction, folding: .caseInsensitive) }),
                ("age", { $0.sorted(by: \.age, direction) }),
                ("pay", { $0.sorted(by: \.pay, direction) }),
                ("height", { $0.sorted(by: \.height, direction) }),
                ("company", { $0.sorted(by: \.company.name, direction) }),
                ("badge", { $0.sorted(by: \.badge.number, direction) }),
                ("notes", { $0.sorted(by: \.notes.count, direction) }),
            ]
            let (name, sort) = chance.pick(sorts)
            parts.append("by \(name) \(direction)")
            request = sort(request)
        }
        let inclusions: [(String, (EntityRequest<Person>) -> EntityRequest<Person>)] = [
            ("notes", { $0.including(\.notes) }),
            ("open notes", { $0.including(\.notes) { $0.filter { !$0.isDone }.limit(2) } }),
            ("company", { $0.including(\.company) { $0.including(\.parent) } }),
            ("boss", { $0.including(\.boss) { $0.counting(\.team) } }),
            ("teams", { $0.including(\.teams) { $0.sorted(by: \.name) } }),
            ("team", { $0.including(\.team) { $0.including(\.notes) } }),
            ("count", { $0.counting(\.notes) }), ("members", { $0.counting(\.teams) }),
            ("badge", { $0.including(\.badge) }),
        ]
        for _ in 0..<chance.number(0...2) {
            let (name, include) = chance.pick(inclusions)
            parts.append("with \(name)")
            request = include(request)
        }
        switch chance.number(0...9) {
        case 0...1:
            parts.append("sections by age")
            request = request.sections(by: \.age) { $0.map { "\($0 / 10)" } ?? "none" }
            title = { $0.age.map { "\($0 / 10)" } ?? "none" }
        case 2:
            parts.append("limit 2")
            request = request.limit(2, offset: 1)
        default: break
        }
        if title == nil, chance.happens(20) {
            window = 1..<3
            parts.append("window")
        }
        description = parts.joined(separator: ", ")
    }

    private typealias RecordPredicateMaker = (Person.Properties) -> RecordPredicate
}
