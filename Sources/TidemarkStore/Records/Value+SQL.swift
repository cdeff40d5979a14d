import Foundation
import GRDB
import TidemarkModel

extension Value {
    /// The value as SQLite stores it.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .double(let number), .date(let number): number.databaseValue
        case .boolean(let flag): (flag ? 1 : 0).databaseValue
        case .decimal(let text), .string(let text), .uuid(let text), .uri(let text),
            .json(let text):
            text.databaseValue
        case .binary(let bytes): Data(bytes).databaseValue
        }
    }
}
