package import TidemarkModel

/// The contents of a service at one or several times: rows of a random model, and links between
/// them.
///
/// The contents are consistent: rows are unique, every reference leads to a row, both sides of a
/// relationship agree, and required attributes have values. ``documents(at:)`` returns them as
/// JSON.
package struct ServiceHistory: Sample {
    /// The model of the service.
    package var model: Model

    /// The contents of the service at consecutive times.
    package var times: [Time]

    /// The seed of all choices of spelling and form.
    package var seed: UInt64

    /// The contents of the service at one time.
    package struct Time: Sendable {
        package var rows: [Row] = []
        package var pairs: [Pair] = []
    }

    /// A row, identified by its entity and a number that is unique within the entity tree.
    package struct Row: Hashable, Sendable, CustomStringConvertible {
        package var entity: String
        package var number: Int

        package var description: String { "\(entity)\(number)" }
    }

    /// A link, stored under the name of its relationship, or of the inverse if that sorts first.
    package struct Pair: Hashable, Sendable, CustomStringConvertible {
        package var relationship: String
        package var from: Row
        package var to: Row

        package var description: String { "\(from).\(relationship)=\(to)" }
    }

    /// Returns a function that generates the history of a model with these traits, at a number of
    /// times, from a seed.
    package static func random(
        _ traits: RandomModel.Traits,
        times count: Int = 1
    ) -> (UInt64) -> ServiceHistory {
        { seed in
            let model = RandomModel.model(seed: seed / 4, traits)
            var history = ServiceHistory(model: model, times: [], seed: seed)
            for time in 0..<count { history.times.append(history.time(time)) }
            return history
        }
    }

    // MARK: Rows

    private func time(_ index: Int) -> Time {
        var chance = Chance(seed: seed, for: "time \(index)")
        var time = Time()
        for tree in model.trees {
            let leaves = tree.members.filter { name in model[name]?.isAbstract == false }
            guard !leaves.isEmpty, tree.root != "Line" else { continue }
            let numbers = chance.shuffled(Array(1...5)).prefix(chance.number(0...4))
            time.rows += numbers.map { Row(entity: chance.pick(leaves), number: $0) }
        }
        for relationship in model.links where relationship.destination != "Line" {
            addPairs(of: relationship, to: &time, &chance)
        }
        addLines(to: &time, &chance)
        return time
    }

    private func addPairs(
        of link: Model.Link,
        to time: inout Time,
        _ chance: inout Chance
    ) {
        let owners = time.rows.filter { model.inherits($0.entity, from: link.owner) }
        let others = time.rows.filter { model.inherits($0.entity, from: link.destination) }
        guard !owners.isEmpty, !others.isEmpty else { return }
        for _ in 0..<chance.number(0...6) {
            let pair = Pair(
                relationship: link.name,
                from: chance.pick(owners),
                to: chance.pick(others)
            )
            if isPossible(pair, link, in: time) { time.pairs.append(pair) }
        }
    }

    private func isPossible(_ pair: Pair, _ link: Model.Link, in time: Time) -> Bool {
        let known = time.pairs.filter { $0.relationship == link.name }
        if link.isSymmetric {
            if !link.isToMany {
                let usedRows = Set(known.flatMap { [$0.from, $0.to] })
                return !usedRows.contains(pair.from) && !usedRows.contains(pair.to)
            }
            let reversed = Pair(relationship: link.name, from: pair.to, to: pair.from)
            return !known.contains(pair) && !known.contains(reversed)
        }
        if !link.isToMany, known.contains(where: { $0.from == pair.from }) { return false }
        if link.isBackToOne, known.contains(where: { $0.to == pair.to }) { return false }
        return !known.contains(pair)
    }

    /// Adds children without a key, each with one parent.
    private func addLines(to time: inout Time, _ chance: inout Chance) {
        let lists = model.entities.flatMap { entity in
            entity.relationships.filter { $0.destination == "Line" && $0.isToMany }
                .map { (owner: entity.name, relationship: $0) }
        }
        guard let list = lists.first else { return }
        let name = min(list.relationship.name, list.relationship.inverse ?? "~")
        for row in time.rows where model.inherits(row.entity, from: list.owner) {
            for index in 0..<chance.number(0...3) {
                let line = Row(entity: "Line", number: row.number * 10 + index)
                time.rows.append(line)
                time.pairs.append(
                    name == list.relationship.name
                        ? Pair(relationship: name, from: row, to: line)
                        : Pair(relationship: name, from: line, to: row)
                )
            }
        }
    }

    // MARK: Links

    /// Returns the rows that a relationship links a row to, in the order of the service.
    package func linked(_ relationship: Relationship, of row: Row, at time: Int) -> [Row] {
        let name = min(relationship.name, relationship.inverse ?? "~")
        let pairs = times[time].pairs.filter { $0.relationship == name }
        let isSymmetric = relationship.inverse == relationship.name
        var rows: [Row] = []
        if name == relationship.name { rows += pairs.filter { $0.from == row }.map(\.to) }
        if name != relationship.name || isSymmetric {
            rows += pairs.filter { $0.to == row && !(isSymmetric && $0.from == row) }.map(\.from)
        }
        guard relationship.isToMany, relationship.destination != "Line" else { return rows }
        var chance = Chance(seed: seed, for: "order of \(relationship.name) \(row) at \(time)")
        return chance.shuffled(rows.sorted { $0.number < $1.number })
    }

    // MARK: Samples

    package var smaller: [ServiceHistory] {
        var result: [ServiceHistory] = []
        if times.count > 1 { result += times.withOneRemoved.map { with($0) } }
        for index in times.indices {
            result += times[index].smaller.map { with(times.replacing(index, by: $0)) }
        }
        result += model.smaller(keeping: []).map { less in
            ServiceHistory(model: less, times: times.map { $0.keeping(less) }, seed: seed)
        }
        return result
    }

    private func with(_ times: [Time]) -> ServiceHistory {
        ServiceHistory(model: model, times: times, seed: seed)
    }

    package var description: String {
        let texts = times.indices.map { time in
            documents(at: time).map { "\($0.entity) \($0.document.text)" }.joined(separator: "\n")
        }
        return ([model.text] + texts).joined(separator: "\n--\n")
    }
}

extension ServiceHistory.Time {
    fileprivate var smaller: [ServiceHistory.Time] {
        rows.withOneRemoved.map { rows in
            ServiceHistory.Time(rows: rows, pairs: pairs.filter { rows.has($0) })
        }
            + pairs.filter { $0.to.entity != "Line" && $0.from.entity != "Line" }.map { pair in
                ServiceHistory.Time(rows: rows, pairs: pairs.filter { $0 != pair })
            }
    }

    fileprivate func keeping(_ model: Model) -> ServiceHistory.Time {
        let rows = rows.filter { model[$0.entity] != nil }
        let names = Set(model.links.map(\.name))
        return ServiceHistory.Time(
            rows: rows,
            pairs: pairs.filter { names.contains($0.relationship) && rows.has($0) }
        )
    }
}

extension [ServiceHistory.Row] {
    fileprivate func has(_ pair: ServiceHistory.Pair) -> Bool {
        contains(pair.from) && contains(pair.to)
    }
}

extension Model {
    /// A relationship and its inverse, which describe the same links.
    struct Link {
        let owner: String
        let name: String
        let destination: String
        let isToMany: Bool
        /// Whether the inverse is to-one.
        let isBackToOne: Bool
        let isSymmetric: Bool
    }

    /// The relationships of the model; of a relationship and its inverse, the first by name.
    var links: [Link] {
        entities.flatMap { entity in
            entity.relationships.filter { $0.name <= $0.inverse ?? "~" }.map { relationship in
                let back = self[relationship.destination].flatMap { destination in
                    relationships(of: destination).first { $0.name == relationship.inverse }
                }
                return Link(
                    owner: entity.name,
                    name: relationship.name,
                    destination: relationship.destination,
                    isToMany: relationship.isToMany,
                    isBackToOne: back.map { !$0.isToMany } ?? false,
                    isSymmetric: relationship.inverse == relationship.name
                )
            }
        }
    }

    /// Returns whether an entity is equal to another or inherits from it.
    func inherits(_ name: String, from ancestor: String) -> Bool {
        self[name].map { lineage(of: $0).contains { $0.name == ancestor } } ?? false
    }
}
