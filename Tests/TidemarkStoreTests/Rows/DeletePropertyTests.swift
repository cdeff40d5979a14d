import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Deletions in random stores, compared with a naive application of the delete rules.
struct DeletePropertyTests {
    private static let model = Model(entities: [
        .named(
            "Node",
            [],
            .one("next", "Node", inverse: "previous", .cascade),
            .many("previous", "Node", inverse: "next"),
            .many("owned", "Leaf", inverse: "owners", .cascade),
            .many("after", "Node", inverse: "before", .deny),
            .one("before", "Node", inverse: "after"),
            .one("guard", "Leaf", .deny)
        ),
        .named(
            "Leaf",
            [],
            .many("owners", "Node", inverse: "owned"),
            .many("friends", "Leaf", inverse: "friends", .deny),
            .one("home", "Node", .cascade)
        ),
    ])

    /// Inserts a few rows of each entity and links them at random.
    private func fill(_ store: Store, _ chance: inout SeededGenerator) throws {
        let count = 3 + Int.random(in: 0..<6, using: &chance)
        let density = Int.random(in: 5...45, using: &chance)
        for entity in store.layout.entities {
            for _ in 0..<count { try store.insert(entity.name) }
        }
        for entity in store.layout.entities {
            for relationship in entity.relationships.map(\.relationship) {
                for row in 1...count where Int.random(in: 0..<100, using: &chance) < density {
                    let others = (0..<(relationship.isToMany ? 2 : 1)).map { _ in
                        "\(relationship.destination)#\(Int.random(in: 1...count, using: &chance))"
                    }
                    try store.update(
                        "\(entity.name)#\(row)",
                        links: [relationship.name: Array(Set(others)).sorted()]
                    )
                }
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `deletes the same rows as a naive application of the rules`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let store = try Store.validated(model: Self.model)
        try fill(store, &chance)
        try store.write { writer in
            let roots = (1...6).filter { _ in Bool.random(using: &chance) }.map(Int64.init)
            let kept = RowSet()
            if Bool.random(using: &chance) { kept.insert(2) }
            let graph = try DeleteGraph.resolve(
                deleting: [0: roots],
                keeping: [1: kept],
                with: writer
            )
            var naive = Deletion(writer, roots, kept: [1: kept])
            try naive.run()
            let doomed = graph.doomed.mapValues { Set($0.rows) }.filter { !$0.value.isEmpty }
            #expect(doomed == naive.doomed.filter { !$0.value.isEmpty }, "seed \(seed)")
            #expect(graph.denials == naive.denials, "seed \(seed)")
        }
    }
}

/// A naive implementation, which computes all rows again after each round.
private struct Deletion {
    let writer: StoreWriter
    let rules: DeleteRules
    let roots: [Int64]
    let kept: [Int: RowSet]
    var doomed: [Int: Set<Int64>] = [:]
    var protectedRows: [Int: Set<Int64>] = [:]
    var denials: [DeleteOutcome.DeleteViolation] = []

    init(_ writer: StoreWriter, _ roots: [Int64], kept: [Int: RowSet]) {
        self.writer = writer
        self.roots = roots
        self.kept = kept
        rules = DeleteRules(writer.layout)
    }

    mutating func run() throws {
        repeat { try collect() } while try deny()
    }

    private func linked(
        _ relationship: RelationshipLayout,
        _ row: Int64
    ) throws -> (table: Int, rows: [Int64]) {
        let table = writer.layout.entities[relationship.destination].table
        return (table, try writer.linked(relationship, of: row))
    }

    private mutating func collect() throws {
        doomed = [0: Set(roots).subtracting(protectedRows[0] ?? [])]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (table, rows) in doomed {
                for (row, relationship) in rows.flatMap({ row in
                    (rules.cascades[table] ?? []).map { (row, $0) }
                }) {
                    let (table, rows) = try linked(relationship, row)
                    for other in rows
                    where protectedRows[table]?.contains(other) != true
                        && kept[table]?.contains(other) != true
                        && doomed[table, default: []].insert(other).inserted
                    {
                        isGrowing = true
                    }
                }
            }
        }
    }

    private mutating func deny() throws -> Bool {
        let before = denials.count
        for (table, relationships) in rules.denials.sorted(by: { $0.key < $1.key }) {
            for row in (doomed[table] ?? []).sorted() {
                for relationship in relationships where protectedRows[table]?.contains(row) != true
                {
                    let (other, rows) = try linked(relationship, row)
                    guard !rows.allSatisfy({ doomed[other]?.contains($0) == true }) else {
                        continue
                    }
                    try protect(row, table)
                    denials.append(
                        DeleteOutcome.DeleteViolation(
                            table: writer.layout.tables[table].name,
                            row: row,
                            relationship: relationship.identifier
                        )
                    )
                }
            }
        }
        return denials.count > before
    }

    /// Keeps a row and every row whose cascade would delete it.
    private mutating func protect(_ row: Int64, _ table: Int) throws {
        guard protectedRows[table, default: []].insert(row).inserted else { return }
        for (owners, relationships) in rules.cascades {
            for owner in doomed[owners] ?? [] where protectedRows[owners]?.contains(owner) != true {
                let cascades = try relationships.contains { relationship in
                    let (other, rows) = try linked(relationship, owner)
                    return other == table && rows.contains(row)
                }
                if cascades { try protect(owner, owners) }
            }
        }
    }
}
