import TidemarkModel
import TidemarkStore
import TidemarkSync

/// A version of a property: a value, or the local names of linked rows.
///
/// In a JSON document, values are tagged as in a dump.
struct TaggedVersion: Encodable {
    private let version: Conflict.Version

    init(_ version: Conflict.Version) {
        self.version = version
    }

    /// The version as the text of a cell; empty for null.
    var text: String {
        switch version {
        case .value(let value): RecordCells.text(value)
        case .row(let row): row?.description ?? ""
        case .rows(let rows): rows.map(\.description).joined(separator: " ")
        case .objects(let json): json
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch version {
        case .value(let value): try TaggedValue(value: value).encode(to: encoder)
        case .row(let row): try (row?.description).encode(to: encoder)
        case .rows(let rows): try rows.map(\.description).encode(to: encoder)
        case .objects(let json): try json.encode(to: encoder)
        }
    }
}
