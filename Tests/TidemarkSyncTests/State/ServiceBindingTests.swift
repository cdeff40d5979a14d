import GRDB
import Testing

@testable import TidemarkSync

/// The service and the account that a store belongs to.
struct ServiceBindingTests {
    private let database: DatabaseQueue

    init() throws {
        database = try DatabaseQueue()
    }

    private func bind(_ origin: String, _ account: String? = nil) throws {
        try database.write { try ServiceBinding(origin: origin, account: account).bind($0) }
    }

    private func bound() throws -> ServiceBinding? {
        try database.read { try ServiceBinding.of($0) }
    }

    @Test func `a store that was never pulled into has no binding and no sync tables`() throws {
        #expect(try bound() == nil)
        #expect(try database.read { try SyncTables.exist($0) } == false)
    }

    /// The service and account of a store, those of another pull, and the message of its error.
    static let rejections: [(one: [String?], other: [String?], String)] = [
        (
            ["https://a.example", nil], ["https://b.example", nil],
            "The store belongs to https://a.example, not to https://b.example."
        ),
        (
            ["https://a.example", "ann"], ["https://b.example", "bob"],
            "The store belongs to https://a.example, not to https://b.example."
        ),
        (
            ["https://a.example", nil], ["http://a.example", nil],
            "The store belongs to https://a.example, not to http://a.example."
        ),
        (
            ["https://a.example", "ann"], ["https://a.example", "bob"],
            "The store belongs to the account ann, and this pull signs in as bob."
        ),
        (
            ["https://a.example", "ann"], ["https://a.example", nil],
            "The store belongs to the account ann, and this pull signs in without an account."
        ),
        (
            ["https://a.example", nil], ["https://a.example", "bob"],
            "The store belongs to no account, and this pull signs in as bob."
        ),
        (
            ["https://a.example", ""], ["https://a.example", nil],
            "The store belongs to the account , and this pull signs in without an account."
        ),
    ]

    @Test(arguments: rejections)
    func `another service or account is rejected, and the binding is unchanged`(
        _ one: [String?],
        _ other: [String?],
        _ message: String
    ) throws {
        let another = ServiceBinding(origin: other[0] ?? "", account: other[1])
        #expect(try database.read { try another.check($0) } == false)
        try bind(one[0] ?? "", one[1])
        for isOnlyChecked in [true, false] {
            let error = #expect(throws: SyncError.self) {
                if isOnlyChecked {
                    _ = try database.read { try another.check($0) }
                } else {
                    try database.write { try another.bind($0) }
                }
            }
            #expect(error?.code == .serviceMismatch)
            #expect(error?.message == message)
            #expect(error?.hint?.hasPrefix("Use another store: ") == true)
        }
        let own = ServiceBinding(origin: one[0] ?? "", account: one[1])
        #expect(try bound() == own)
        #expect(try database.read { try own.check($0) })
        try bind(one[0] ?? "", one[1])
    }

    @Test func `a binding that is rolled back has no effect`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try database.write { db in
                try ServiceBinding(origin: "https://a.example", account: nil).bind(db)
                throw Stop()
            }
        }
        #expect(try bound() == nil)
        try bind("https://b.example")
        #expect(try bound() == ServiceBinding(origin: "https://b.example", account: nil))
    }
}
