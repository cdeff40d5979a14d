import Testing
import TidemarkJSON
import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

@testable import TidemarkImport

/// Elements of lists that requests contain, laid over those that were read.
struct ListElementTests {
    private func object(
        _ elements: [EntityDescription],
        _ document: String,
        only properties: Set<String>,
        editing edit: (StoreWriter) throws -> Void = { _ in }
    ) throws -> ChangedObject {
        let cart = EntityDescription(
            "Cart",
            attributes: [Attribute("id", .integer64)],
            relationships: [.many("lines", "Line", inverse: "cart", isOrdered: true)]
        )
        let store = try Store.validated(model: Model(entities: [cart] + elements))
        try store.load("Cart", document)
        try store.write { try edit($0) }
        let exporter = Importer(store).exporter(keys: .snake, change: ChangeFormat())
        return try store.read { reader in
            try exporter.changedObject(
                reader.record(RecordLocator("Cart:1")),
                only: properties,
                reader: reader
            )
        }
    }

    private func completed(
        _ changed: ChangedObject,
        from document: String,
        _ nesting: MemberNesting = .replaced,
        since former: ChangedObject? = nil
    ) throws -> String {
        let read = try JSONDocument(Array(document.utf8))
        let whole = read.withRoot { changed.completed(from: $0, nesting, since: former) }
        return String(decoding: whole.json(), as: UTF8.self)
    }

    @Test(arguments: [MemberNesting.replaced, .joined])
    func `elements with a key are found by it`(nesting: MemberNesting) throws {
        let line = EntityDescription(
            "Line",
            primaryKey: ["sku", "size"],
            attributes: [
                Attribute("sku", .string), Attribute("size", .integer64),
                Attribute("count", .integer64),
            ],
            relationships: [.one("cart", "Cart", inverse: "lines")]
        )
        let changed = try object(
            [line],
            """
            [{"id":1,"lines":[{"sku":"b","size":1,"count":5},{"sku":"a","size":2,"count":1},\
            {"sku":"c","size":1,"count":1}]}]
            """,
            only: ["lines"]
        )
        let whole = try completed(
            changed,
            from: """
                {"lines":[{"sku":"a","size":1,"count":1,"note":"w"},\
                {"sku":"a","size":2.0,"count":1,"note":"x"},\
                {"sku":"b","size":1,"count":1,"note":"y"}]}
                """,
            nesting
        )
        expect(
            whole,
            is: """
                {"lines":[{"note":"y","sku":"b","size":1,"count":5},\
                {"note":"x","sku":"a","size":2,"count":1},{"sku":"c","size":1,"count":1}]}
                """
        )
    }

    private static let line = EntityDescription(
        "Line",
        attributes: [Attribute("text", .string), Attribute("price", .decimal)],
        relationships: [.one("cart", "Cart", inverse: "lines")]
    )

    @Test func `elements are found by their values, however these are written`() throws {
        let document = #"[{"id":1,"lines":[{"text":"a","price":1.5},{"text":"b"}]}]"#
        let former = try object([Self.line], document, only: ["lines"])
        let changed = try object([Self.line], document, only: ["lines"]) { writer in
            _ = try writer.update(RecordLocator("Line#1"), values: ["text": .string("c")])
        }
        let whole = try completed(
            changed,
            from: """
                {"lines":[{"n":1},{"n":2,"text":"b","price":null},\
                {"n":3,"price":15e-1,"text":"\\u0061"}]}
                """,
            since: former
        )
        expect(
            whole,
            is: """
                {"lines":[{"n":3,"price":15e-1,"text":"c"},{"n":2,"text":"b","price":null}]}
                """
        )
    }

    @Test func `an element whose values the service writes otherwise is found by its position`()
        throws
    {
        let document = #"[{"id":1,"lines":[{"text":"a","price":1.5},{"text":"b"}]}]"#
        let former = try object([Self.line], document, only: ["lines"])
        let changed = try object([Self.line], document, only: ["lines"]) { writer in
            _ = try writer.update(RecordLocator("Line#1"), values: ["text": .string("c")])
        }
        let whole = try completed(
            changed,
            from: #"{"lines":[{"text":"a","price":"1.50","n":1},{"text":"b","n":2}]}"#,
            since: former
        )
        expect(
            whole,
            is: #"{"lines":[{"price":"1.50","n":1,"text":"c"},{"text":"b","n":2}]}"#
        )
    }

    @Test(arguments: [
        #"{}"#, #"{"lines":null}"#, #"{"lines":"none"}"#, #"{"lines":[]}"#, #"{"lines":[1,null]}"#,
    ])
    func `a list without objects is replaced`(read: String) throws {
        let changed = try object(
            [Self.line],
            #"[{"id":1,"lines":[{"text":"a"}]}]"#,
            only: ["lines"]
        )
        let whole = try completed(changed, from: read, since: changed)
        expect(whole, is: #"{"lines":[{"text":"a","price":null}]}"#)
    }
}
