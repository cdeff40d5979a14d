import GRDB
import Testing
import TidemarkImport
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport
import TidemarkTesting

/// Objects without a key, but with a unique value, in the list of the row that contains them.
struct UniqueChildTests {
    private func store(_ orders: String) throws -> Store {
        let store = try Store.of(
            .named("Order", [], .many("lines", "Line", inverse: "order", .cascade)),
            EntityDescription(
                "Line",
                attributes: [.init("sku", .string), .init("qty", .integer64)],
                relationships: [
                    .one("order", "Order", inverse: "lines"),
                    .many("parts", "Part", inverse: "line", .cascade),
                ],
                uniquenessConstraints: [["sku"]]
            ),
            EntityDescription(
                "Part",
                attributes: [.init("code", .string)],
                relationships: [
                    .one("line", "Line", inverse: "parts"),
                    .many("pins", "Pin", inverse: "part", .cascade),
                ]
            ),
            EntityDescription(
                "Pin",
                attributes: [.init("text", .string)],
                relationships: [.one("part", "Part", inverse: "pins")],
                uniquenessConstraints: [["text"]]
            )
        )
        try store.load("Order", orders)
        return store
    }

    /// Returns an order whose lines have one part each.
    private func order(_ id: Int, _ lines: String...) -> String {
        let lines = lines.map { #"{"sku": "\#($0)", "parts": [{"code": "of \#($0)"}]}"# }
        return #"{"id": \#(id), "lines": [\#(lines.joined(separator: ","))]}"#
    }

    /// Returns the orders with their lines and parts, such as `1: 1 a(of a), 2 -(); 2: 3 b()`.
    private func lines(_ store: Store) throws -> String {
        try store.writer.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT o.id || ': ' || coalesce((SELECT group_concat(
                        l._id || ' ' || coalesce(l.sku, '-') || coalesce(' ' || l.qty, '') || '('
                            || coalesce((SELECT group_concat(code, ' ') FROM
                                (SELECT code FROM Part WHERE line = l._id ORDER BY _id)), '') || ')',
                        ', ')
                        FROM (SELECT * FROM Line WHERE "order" = o._id ORDER BY _id) l), '')
                    FROM "Order" o ORDER BY o.id
                    """
            )
            .joined(separator: "; ")
        }
    }

    private static let rejected =
        "Line: The row breaks a rule of the store: UNIQUE constraint failed: Line.sku."

    /// Imports the lines of order 2 twice, and expects a report for each import.
    ///
    /// The lines are imported by themselves, or nested in the order.
    private func load(
        _ lines: String,
        _ store: Store,
        byParent: Bool,
        is first: String,
        then second: String
    ) throws {
        for report in [first, second] {
            let text =
                byParent
                ? try store.load("Line", "[\(lines)]", parent: "Order:2")
                : try store.load("Order", #"[{"id": 1}, {"id": 2, "lines": [\#(lines)]}]"#)
            let isOrder = text.split(separator: "\n")[0].contains("Order")
            expect(isOrder ? text.replacing(", Order =2", with: "") : text, is: report)
        }
    }

    @Test(arguments: [false, true])
    func `an object rejected for a unique value writes nothing under another object's row`(
        byParent: Bool
    ) throws {
        let store = try store(#"[{"id": 1, "lines": [{"sku": "i"}]}, {"id": 2}]"#)
        try load(
            """
            {"sku": "i", "qty": 1, "parts": [{"code": "of i", "pins": [{"text": "p"}]}]},
            {"sku": "b", "qty": 2, "parts": [{"code": "of b"}]}, {"sku": "d", "qty": 3}
            """,
            store,
            byParent: byParent,
            is: "Line +2 !1, Part +1\n\(Self.rejected)",
            then: "Line =2 !1, Part =1\n\(Self.rejected)"
        )
        try expect(lines(store), is: "1: 1 i(); 2: 2 b 2(of b), 3 d 3()")
    }

    @Test(arguments: [false, true])
    func `a rejected object does not shift the positions of objects without a unique value`(
        byParent: Bool
    ) throws {
        let store = try store(#"[{"id": 1, "lines": [{"sku": "i"}]}, {"id": 2}]"#)
        try load(
            """
            {"sku": "i", "qty": 1, "parts": [{"code": "of i"}]},
            {"qty": 2, "parts": [{"code": "two"}]}, {"qty": 3, "parts": [{"code": "three"}]}
            """,
            store,
            byParent: byParent,
            is: "Line +2 !1, Part +2\n\(Self.rejected)",
            then: "Line =2 !1, Part =2\n\(Self.rejected)"
        )
        try expect(lines(store), is: "1: 1 i(); 2: 2 - 2(two), 3 - 3(three)")
    }

    @Test(arguments: [false, true])
    func `a list with a rejected object deletes no row and keeps the positions`(
        byParent: Bool
    ) throws {
        let store = try store("[\(order(1, "i")), \(order(2, "a", "b", "c"))]")
        try load(
            #"{"sku": "i", "parts": [{"code": "no"}]}, {"sku": "x", "parts": [{"code": "of x"}]}"#,
            store,
            byParent: byParent,
            is: "Line ~1 !1, Part ~1\n\(Self.rejected)",
            then: "Line =1 !1, Part =1\n\(Self.rejected)"
        )
        try expect(
            lines(store),
            is: "1: 1 i(of i); 2: 2 a(of a), 3 x(of x), 4 c(of c)"
        )
    }

    @Test func `lists that swap unique values end with the nested objects of the document`() throws
    {
        let store = try store("[\(order(1, "a")), \(order(2, "b")), \(order(3, "c", "d"))]")
        let document = "[\(order(1, "b", "n")), \(order(2, "a")), \(order(3, "e"))]"
        try expect(store.load("Order", document), is: "Line +1 ~3 -1, Order =3, Part +1 ~3 -1")
        let state = "1: 1 b(of b), 5 n(of n); 2: 2 a(of a); 3: 3 e(of e)"
        try expect(lines(store), is: state)
        try expect(store.load("Order", document), is: "Line =4, Order =3, Part =4")
        try expect(lines(store), is: state)
    }

    @Test func `a rejected object does not prevent a swap of unique values in its list`() throws {
        let store = try store("[\(order(1, "x")), \(order(2, "y")), \(order(3, "i"))]")
        let document = #"[\#(order(1, "y")), \#(order(2, "i", "x")), {"id": 3}]"#
        try expect(
            store.load("Order", document),
            is: "Line ~2 !1, Order =3, Part ~2\n\(Self.rejected)"
        )
        try expect(
            store.load("Order", document),
            is: "Line =2 !1, Order =3, Part =2\n\(Self.rejected)"
        )
        try expect(lines(store), is: "1: 1 y(of y); 2: 2 x(of x); 3: 3 i(of i)")
    }

    @Test func `an item with a postponed nested object is stored once`() throws {
        let store = try store(
            #"""
            [{"id": 1, "lines": [{"sku": "i", "parts": [{"code": "c", "pins": [{"text": "t"}]}]}]},
             {"id": 2}]
            """#
        )
        let list = #"""
            [{"sku": "a", "parts": [{"code": "d", "pins": [{"text": "t"}, {"text": "u"}]}]},
             {"qty": 2}]
            """#
        let message = "Pin: The row breaks a rule of the store: UNIQUE constraint failed: Pin.text."
        try expect(
            store.load("Line", list, parent: "Order:2"),
            is: "Line +2, Part +1, Pin +1 !1\n\(message)"
        )
        try expect(
            store.load("Line", list, parent: "Order:2"),
            is: "Line =2, Part =1, Pin =1 !1\n\(message)"
        )
        try expect(lines(store), is: "1: 1 i(c); 2: 2 a(d), 3 - 2()")
    }
}
