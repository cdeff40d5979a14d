import TidemarkModel
import TidemarkStore
import TidemarkSync

extension SyncVerification {
    /// The differences, one per line.
    ///
    /// `here` marks rows that only the store contains, and `there` rows that only the service
    /// contains.
    var lines: [String] {
        differences.rows.map { row in
            let side = row.stored == nil ? "there" : row.other == nil ? "here" : "both"
            let properties = row.properties.map {
                "\($0) \(Self.text($0, row.stored)) \(Self.text($0, row.other))"
            }
            return ([row.row.description, side] + properties).joined(separator: " ")
        }
    }

    private static func text(_ property: String, _ record: StoredRecord?) -> String {
        guard let links = record?.links[property] else { return "\(record?[property] ?? .null)" }
        return "[\(links.map(\.description).joined(separator: " "))]"
    }
}
