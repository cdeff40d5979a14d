import GRDB
public import TidemarkModel
import TidemarkStore
import TidemarkTestSupport

/// A store with every type of attribute and every kind of relationship.
enum Office {
    static let model = Model(entities: [
        EntityDescription(
            "Company",
            attributes: [
                .init("id", .integer64), .init("name", .string), .init("seats", .integer32),
            ],
            relationships: [.many("people", "Person", inverse: "company")]
        ),
        EntityDescription(
            "Person",
            attributes: [
                .init("id", .integer16), .init("name", .string), .init("age", .integer16),
                .init("pay", .decimal), .init("height", .double), .init("weight", .float),
                .init("isActive", .boolean), .init("bornAt", .date), .init("code", .uuid),
                .init("link", .uri), .init("photo", .binary, encoding: .base64),
                .init("extra", .json), .init("blob", .transformable), .init("in", .string),
            ],
            relationships: [
                .one("company", "Company", inverse: "people"),
                .one("boss", "Person", inverse: "team"),
                .many("team", "Person", inverse: "boss"),
                .many("friends", "Person", inverse: "friends"),
                .many("tags", "Tag", inverse: "people"),
                .one("badge", "Badge", inverse: "owner"),
            ]
        ),
        EntityDescription("Director", parent: "Person", attributes: [.init("budget", .decimal)]),
        EntityDescription(
            "Tag",
            attributes: [.init("text", .string)],
            relationships: [.many("people", "Person", inverse: "tags")]
        ),
        EntityDescription(
            "Badge",
            primaryKey: ["store", "number"],
            attributes: [.init("store", .integer64), .init("number", .string)],
            relationships: [.one("owner", "Person", inverse: "badge")]
        ),
    ])

    /// Returns a store of two companies, five people (one a director), three tags and two badges.
    static func store() throws -> Store {
        let store = try Store.validated(model: model)
        try fill(store)
        return store
    }

    static func fill(_ store: Store) throws {
        try store.insert("Company", ["id": 1, "name": "Ärzte", "seats": 2])
        try store.insert("Company", ["id": 2, "name": "Bäckerei"])
        for text in ["red", "green", "blue"] { try store.insert("Tag", ["text": .string(text)]) }
        try store.insert(
            "Director",
            [
                "id": 1, "name": "Ada", "age": 36, "pay": .decimal("1000.5"), "height": 1.5,
                "weight": .double(0.1), "isActive": .boolean(true),
                "bornAt": "1815-12-10", "code": "6fa459ea-ee8a-3ca4-894e-db77e160355e",
                "link": "https://a.example/1", "photo": .binary([1, 2]), "extra": .json("[1]"),
                "in": "x", "budget": .decimal("20000000000000000000"),
            ],
            links: ["company": ["Company:1"], "tags": ["Tag#1", "Tag#2"]]
        )
        try store.insert(
            "Person",
            [
                "id": 2, "name": "Émile", "age": 20, "pay": .decimal("9.25"), "height": 20,
                "isActive": .boolean(false), "bornAt": "2014-02-14T10:00:00.25Z",
                "link": "https://a.example/20", "extra": .json(#"{"a":"b"}"#),
            ],
            links: ["company": ["Company:1"], "boss": ["Person:1"], "tags": ["Tag#2"]]
        )
        try store.insert(
            "Person",
            ["id": 3, "name": "ada*", "age": 36, "pay": .decimal("-3"), "height": 36],
            links: ["company": ["Company:2"], "boss": ["Person:1"], "friends": ["Person:1"]]
        )
        try store.insert("Person", ["id": 4, "name": "", "pay": .decimal("1000")])
        try store.insert(
            "Person",
            ["name": "o'Neil \"x\"", "isActive": .boolean(true)],
            links: ["boss": ["Person:3"], "friends": ["Person:3", "Person#5"]]
        )
        try store.insert(
            "Badge",
            ["store": 1, "number": "A-7"],
            links: ["owner": ["Person:2"]]
        )
        try store.insert("Badge", ["store": 1, "number": "B"])
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension Store {
    /// Returns the numbers of the rows that match a predicate.
    func found(_ entity: String, _ predicate: RecordPredicate) throws -> [Int64] {
        try read { db in Array(try db.rows(RecordRequest(entity, where: predicate)).rows) }
    }

    func found(_ entity: String, _ format: String, _ arguments: Value...) throws -> [Int64] {
        try found(entity, RecordPredicate(format, arguments: arguments))
    }
}

/// Returns the error of a predicate with its excerpt, or `done` if no error is thrown.
func fault<T>(_ body: @autoclosure () throws -> T) throws -> String {
    do {
        _ = try body()
        return "done"
    } catch let error as RecordPredicateError {
        return error.rendering
    } catch let error as DatabaseError {
        return error.message ?? ""
    }
}
