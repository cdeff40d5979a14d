import Foundation
import GRDB

// snippet.StoreRow
/// A row of a store as a value.
protocol StoreRow: Codable, FetchableRecord, MutablePersistableRecord {}

extension StoreRow {
    static var databaseTableName: String { String(describing: Self.self) }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
    }
}
// snippet.end

// snippet.Product
struct Product: StoreRow {
    var row: Int64?
    var id: Int64?
    var name: String
    var price: Decimal?
    var isActive: Bool?
    var releasedAt: Date?
    var token: UUID?
    var specs: Specs?
    var maker: Int64?

    struct Specs: Codable, Equatable {
        var rows: Int
        var beads: [Int]
    }

    enum CodingKeys: String, CodingKey {
        case row = "_id"
        case id, name, price, isActive, releasedAt, token, specs, maker
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        row = inserted.rowID
    }
}
// snippet.end
