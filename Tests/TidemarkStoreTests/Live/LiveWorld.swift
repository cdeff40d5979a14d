import GRDB
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A model with random requests of a record type, and random changes of its rows.
protocol LiveWorld: Sendable {
    associatedtype Record: EntityRecord & Hashable

    /// The models of the store, from which the record types can be read.
    static func model(_ chance: inout Chance) -> Model

    static func fill(_ store: Store) throws

    static func request(_ chance: inout Chance) -> LiveRequest<Record>

    /// Makes a change by typed records.
    static func write(_ writer: StoreWriter, _ chance: inout Chance) throws

    /// Returns a statement in SQL.
    static func statement(_ chance: inout Chance) -> (String, StatementArguments)

    /// Returns a document of a service, with the entity of its objects.
    static func document(_ chance: inout Chance) -> (entity: String, text: String)
}

/// A random request.
struct LiveRequest<Record: EntityRecord>: CustomStringConvertible {
    private(set) var request = Record.all
    var window: Range<Int>?

    /// The title of the section of a record.
    private(set) var title: (@Sendable (Record) -> String)?

    private var parts: [String] = []

    typealias Choice = (name: String, change: (EntityRequest<Record>) -> EntityRequest<Record>)

    /// Applies one of some choices.
    mutating func apply(_ choices: [Choice], _ chance: inout Chance) {
        let choice = chance.pick(choices)
        parts.append(choice.name)
        request = choice.change(request)
    }

    /// Divides the result into sections.
    mutating func divide(
        _ name: String,
        title: @escaping @Sendable (Record) -> String,
        change: (EntityRequest<Record>) -> EntityRequest<Record>
    ) {
        parts.append("sections by \(name)")
        request = change(request)
        self.title = title
    }

    mutating func limit(_ limit: Int, offset: Int) {
        parts.append("limit \(limit) from \(offset)")
        request = request.limit(limit, offset: offset)
    }

    var description: String {
        (parts + (window.map { ["window \($0)"] } ?? [])).joined(separator: ", ")
    }
}

extension Model {
    /// The model with random delete rules and orders, which the record types do not
    /// depend on.
    func varied(_ chance: inout Chance) -> Model {
        var model = self
        for entity in model.entities.indices {
            for index in model.entities[entity].relationships.indices {
                let rules: [Relationship.DeleteRule] = [.nullify, .nullify, .cascade]
                model.entities[entity].relationships[index].deleteRule = chance.pick(rules)
                // The statements in SQL write no positions into join tables.
                if model.entities[entity].relationships[index].inverse == "person" {
                    model.entities[entity].relationships[index].isOrdered = chance.happens(50)
                }
            }
        }
        return model
    }
}
