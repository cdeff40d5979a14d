import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkRemote
import TidemarkStore

@testable import TidemarkSync

/// Pending deletions of objects that were removed from the object that embedded them.
///
/// No later list reports their deletion again, so that the store must record it.
struct EmbeddedDeletionTests {
    private static let model = Model {
        EntityDescription("Item") {
            Attribute("id", .integer64)
            Relationship(
                "parts",
                to: "Part",
                isToMany: true,
                inverse: "item",
                deleteRule: .cascade
            )
            Relationship("bits", to: "Bit", isToMany: true, inverse: "item", deleteRule: .cascade)
            Relationship("detail", to: "Detail")
            Relationship("author", to: "Author")
        }
        EntityDescription("Part") {
            Attribute("id", .integer64)
            Relationship("item", to: "Item", inverse: "parts")
        }
        EntityDescription("Bit") {
            Attribute("n", .integer64)
            Relationship("item", to: "Item", inverse: "bits")
        }
        EntityDescription("Detail") { Attribute("n", .integer64) }
        EntityDescription("Author") {
            Attribute("id", .integer64)
            Attribute("name", .string)
        }
    }

    /// A member of an item: children with and without a key, and a single object without a key of
    /// an entity without and with a primary key.
    enum Member: String, CaseIterable, CustomTestStringConvertible {
        case parts, bits, detail, author

        var testDescription: String { rawValue }

        var entity: String {
            switch self {
            case .parts: "Part"
            case .bits: "Bit"
            case .detail: "Detail"
            case .author: "Author"
            }
        }

        func value(_ item: Int) -> String {
            switch self {
            case .parts: #"[{"id": \#(item)}]"#
            case .bits: #"[{"n": \#(item)}]"#
            case .detail: #"{"n": \#(item)}"#
            case .author: #"{"name": "\#(item)"}"#
            }
        }

        var emptyValue: String {
            switch self {
            case .parts, .bits: "[]"
            case .detail, .author: "null"
            }
        }
    }

    /// Returns items, numbered from 1, with their members.
    private static func items(
        _ count: Int = 20,
        _ value: (Member, Int) -> String = { $0.value($1) }
    ) -> [String] {
        (1...count).map { item in
            let members = Member.allCases.map { #""\#($0)": \#(value($0, item))"# }
            return #"{"id": \#(item), \#(members.joined(separator: ", "))}"#
        }
    }

    /// Returns items, of which those from `first` on lack a member.
    private static func items(without missing: Member, from first: Int = 1) -> [String] {
        items { $0 == missing && $1 >= first ? $0.emptyValue : $0.value($1) }
    }

    private static func page(_ items: [String], next: String = "null") -> String {
        #"{"results": [\#(items.joined(separator: ", "))], "next": \#(next)}"#
    }

    /// Returns a mirror of twenty items that have all lost a member, whose deletion is pending.
    private static func mirror(lacking member: Member) async throws -> ScriptedMirror {
        let mirror = try ScriptedMirror(model, [("Item", "items")])
        mirror.service["/items"] = page(items())
        try await mirror.pull()
        mirror.service["/items"] = page(items(without: member))
        try await mirror.pull()
        return mirror
    }

    private func counts(_ mirror: ScriptedMirror) throws -> String {
        try Self.model.entities.map { "\($0.name) \(try mirror.count($0.name))" }
            .joined(separator: ", ")
    }

    private func pending(_ mirror: ScriptedMirror) throws -> [PendingDeletion] {
        try SyncStatus.of(mirror.store).pendingDeletions
    }

    private func deletion(
        _ member: Member,
        rows: Int = 20,
        isRejected: Bool = false
    ) -> PendingDeletion {
        PendingDeletion(
            resource: "items",
            entity: "Item",
            shares: [.init(entity: member.entity, rows: rows, total: 20)],
            isRejected: isRejected
        )
    }

    private func reject(_ mirror: ScriptedMirror) throws {
        try mirror.store.writer.write { try Importer(mirror.store).rejectDeletion($0, "items") }
    }

    @Test(arguments: Member.allCases)
    func `embedded objects are kept until their deletion is approved`(_ member: Member) async throws
    {
        let mirror = try await Self.mirror(lacking: member)
        let all = "Item 20, Part 20, Bit 20, Detail 20, Author 20"
        for change in [{ _ in }, { $0.isFull = true }] as [(inout PullOptions) -> Void] {
            let report = try await mirror.pull(change)
            #expect(report.pendingDeletions == [deletion(member)])
            #expect(try pending(mirror) == [deletion(member)])
            #expect(try counts(mirror) == all)
        }
        let verification = try await mirror.engine().verify()
        #expect(verification.differences.rows.count == 20)
        _ = try await mirror.engine().dryRunEngine().approveDeletion(of: "items")
        #expect(try counts(mirror) == all)

        let report = try await mirror.engine().approveDeletion(of: "items")
        #expect(report.total.entities[member.entity]?.deleted == 20)
        #expect(
            try counts(mirror)
                == all.replacing("\(member.entity) 20", with: "\(member.entity) 0")
        )
        #expect(try pending(mirror) == [])
        #expect(try await mirror.engine().verify().matches)
        #expect(try await mirror.pull().pendingDeletions == [])
    }

    @Test(arguments: Member.allCases)
    func `rejected embedded objects are kept, and do not count towards the limit of others`(
        _ member: Member
    ) async throws {
        let mirror = try await Self.mirror(lacking: member)
        try reject(mirror)
        for _ in 0..<2 {
            let report = try await mirror.pull()
            #expect(report.pendingDeletions == [deletion(member, isRejected: true)])
            #expect(try mirror.count(member.entity) == 20)
        }
        let other: Member = member == .parts ? .bits : .parts
        let items = Self.items { each, item in
            each == member || each == other && item <= 3 ? each.emptyValue : each.value(item)
        }
        mirror.service["/items"] = Self.page(items)
        let report = try await mirror.pull()
        #expect(report.total.entities[other.entity]?.deleted == 3)
        #expect(report.pendingDeletions == [deletion(member, isRejected: true)])
        #expect(
            try await mirror.engine().approveDeletion(of: "items")
                .total.entities[member.entity]?.deleted == 20
        )
        #expect(try mirror.count(member.entity) == 0)
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `objects that are embedded or referenced again are withdrawn`() async throws {
        let mirror = try await Self.mirror(lacking: .parts)
        // Five are embedded again, the next five are only referenced.
        let items = Self.items { member, item in
            guard member == .parts, item > 5 else { return member.value(item) }
            return item <= 10 ? "[\(item)]" : "[]"
        }
        mirror.service["/items"] = Self.page(items)
        let strict = DeletionGuard(share: 0.1, rows: 2, fullDeletionThreshold: 3)
        let report = try await mirror.pull { $0.deletionGuard = strict }
        #expect(report.pendingDeletions == [deletion(.parts, rows: 10)])
        #expect(try pending(mirror) == [deletion(.parts, rows: 10)])
        try await mirror.store.writer.write { db in
            _ = try Importer(mirror.store).approveDeletion(db, "items")
        }
        #expect(try mirror.count("Part") == 10)
        #expect(try await mirror.engine().verify().matches)
    }

    @Test func `rows that the app has linked again are not deleted`() async throws {
        let mirror = try await Self.mirror(lacking: .parts)
        try await mirror.store.writer.write { db in
            try db.execute(sql: #"UPDATE "Part" SET "item" = 1 WHERE _id <= 4"#)
            let report = try Importer(mirror.store).approveDeletion(db, "items")
            #expect(report.entities["Part"]?.deleted == 16)
        }
        #expect(try mirror.count("Part") == 4)
    }

    @Test func `a list that is not read to its end keeps pending deletions`() async throws {
        let mirror = try await Self.mirror(lacking: .bits)
        mirror.service["/items"] = Self.page([#"{"id": 1, "bits": []}"#], next: #""?page=2""#)
        let report = try await mirror.pull()
        #expect(!report.isComplete)
        #expect(try pending(mirror) == [deletion(.bits)])
        mirror.service["/items"] = Self.page(Self.items(without: .bits))
        _ = try await mirror.engine().approveDeletion(of: "items")
        #expect(try mirror.count("Bit") == 0)
    }

    @Test func `an object with an invalid key keeps deletions pending, even if approved`()
        async throws
    {
        let mirror = try await Self.mirror(lacking: .parts)
        let items = Self.items(without: .parts)
        mirror.service["/items"] = Self.page(items + [#"{"id": 21, "parts": [{"id": null}]}"#])
        for isApproved in [false, true] {
            let report =
                try await isApproved
                ? mirror.engine().approveDeletion(of: "items")
                : mirror.pull { $0.deletionGuard = nil }
            #expect(report.pendingDeletions == [deletion(.parts)])
            #expect(try mirror.count("Part") == 20)
        }
        mirror.service["/items"] = Self.page(items)
        _ = try await mirror.engine().approveDeletion(of: "items")
        #expect(try mirror.count("Part") == 0)
    }

    @Test func `further removed objects count together with the pending ones`() async throws {
        let mirror = try ScriptedMirror(Self.model, [("Item", "items")])
        mirror.service["/items"] = Self.page(Self.items())
        try await mirror.pull()
        let strict = DeletionGuard(share: 0.5, rows: 2, fullDeletionThreshold: 30)
        mirror.service["/items"] = Self.page(Self.items(without: .detail, from: 9))
        var report = try await mirror.pull { $0.deletionGuard = strict }
        #expect(report.pendingDeletions == [deletion(.detail, rows: 12)])
        mirror.service["/items"] = Self.page(Self.items(without: .detail, from: 8))
        report = try await mirror.pull { $0.deletionGuard = strict }
        #expect(report.pendingDeletions == [deletion(.detail, rows: 13)])
        #expect(try mirror.count("Detail") == 20)
    }
}
