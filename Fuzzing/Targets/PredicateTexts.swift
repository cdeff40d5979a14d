import GRDB
import TidemarkModel
import TidemarkStore

/// Predicates: a predicate that can be parsed can be run, selects the same rows as its canonical
/// form, and is either true or false for each row.
enum PredicateTexts {
    private static let entities = ["Person", "Company", "Tag", "Badge", "Note", "Thing", "Film"]
    private static let arguments: [Value] = [
        .string("a"), .integer(1), .null, .string("boss.name"),
    ]

    /// Limits for the negation of a predicate that has the maximum depth: NOT and parentheses add
    /// levels.
    private static var deeper: PredicateLimits {
        var limits = PredicateLimits()
        limits.nesting += 2
        return limits
    }

    /// Checks an input.
    ///
    /// The first byte selects the entity. The other bytes are the text of the predicate.
    static func check(_ bytes: [UInt8]) throws {
        var bytes = FuzzBytes(bytes)
        let entity = bytes.pick(entities)
        let text = String(decoding: bytes.remainder(), as: UTF8.self)
        for count in 0...arguments.count {
            guard let predicate = try read(text, Array(arguments.prefix(count))) else { continue }
            let canonical = try RecordPredicate(predicate.description)
            try Violation.unlessEqual(canonical, predicate, "the canonical form of \(text)")
            let negation = try RecordPredicate(
                "NOT (\(predicate))",
                arguments: [],
                limits: deeper
            )
            try FuzzStore.shared().trying { db in
                try run(db, entity, predicate, canonical, negation)
            }
            return
        }
    }

    /// Parses a predicate; nil if it is invalid.
    ///
    /// Checks that the error has a message and a position.
    private static func read(_ text: String, _ arguments: [Value]) throws -> RecordPredicate? {
        do {
            return try RecordPredicate(text, arguments: arguments, names: ["x": .integer(1)])
        } catch {
            guard !error.description.isEmpty, !error.rendering.isEmpty, error.character > 0 else {
                throw Violation("an error without words: \(text)")
            }
            return nil
        }
    }

    private static func run(
        _ db: Database,
        _ entity: String,
        _ predicate: RecordPredicate,
        _ canonical: RecordPredicate,
        _ negation: RecordPredicate
    ) throws {
        let store = try FuzzStore.shared().store
        guard let found = try rows(db, entity, predicate) else { return }
        try Violation.unlessEqual(try rows(db, entity, canonical), found, "rows of \(canonical)")
        let all = Array(try store.read(in: db) { try $0.rows(RecordRequest(entity)) }.rows)
        guard let others = try rows(db, entity, negation) else {
            throw Violation("\(predicate) runs, but \(negation) does not")
        }
        try Violation.unlessEqual((found + others).sorted(), all.sorted(), "with \(negation)")
        let count = try store.read(in: db) { reader in
            try reader.count(RecordRequest(entity, where: predicate))
        }
        try Violation.unlessEqual(count, found.count, "the count of \(predicate)")
    }

    /// Returns the matching rows; nil if the predicate does not fit the entity, or if a pattern
    /// exceeds the limit of matching steps.
    private static func rows(
        _ db: Database,
        _ entity: String,
        _ predicate: RecordPredicate
    ) throws -> [Int64]? {
        do {
            let rows = try FuzzStore.shared().store.read(in: db) { reader in
                try reader.rows(RecordRequest(entity, where: predicate))
            }
            return Array(rows.rows)
        } catch is RecordPredicateError {
            return nil
        } catch let error as DatabaseError where error.message?.contains("pattern") == true {
            return nil
        }
    }
}
