import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// A mirror as a predecessor of Tidemark kept it, reduced to what affects its rows.
struct Predecessor {
    /// A row: its key, its text, and the time of its change according to the service or the device.
    struct Row: Hashable {
        var key: String
        var text: String
        var changed = ""

        init(_ key: String, _ text: String, changed: String = "") {
            self.key = key
            self.text = text
            self.changed = changed
        }

        /// Creates a row from an object of a list.
        init(_ object: FakeJSON) {
            key = (object["objectId"] ?? object["id"])?.string ?? ""
            text = object["text"]?.string ?? ""
            changed = (object["updatedAt"] ?? object["updated_at"])?.string ?? ""
        }
    }

    var rows: [Row] = []

    /// The rows, one per line.
    var local: String {
        rows.map { "\($0.key) \($0.text)" }.sorted().joined(separator: "\n")
    }

    /// Updates or inserts rows by key, as the predecessors did that looked rows up.
    mutating func merge(_ batch: [Row]) {
        for row in batch {
            rows.removeAll { $0.key == row.key }
            rows.append(row)
        }
    }
}

extension FakeService {
    /// Returns the objects of one page of a list, by its path relative to the service.
    func page(_ path: String) async throws -> [Predecessor.Row] {
        var address = path
        for (character, escape) in [("\"", "%22"), ("{", "%7B"), ("}", "%7D"), ("$", "%24")] {
            address = address.replacing(character, with: escape)
        }
        let request = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "fake.example",
            path: self.path + address
        )
        let response = try await send(request, body: nil)
        guard response.head.status == .ok else {
            throw RemoteError.connectionFailed(request, because: "refused")
        }
        let json = try FakeJSON(parsing: try await response.collect(upTo: 1 << 20))
        return (json["results"]?.elements ?? json.elements ?? []).map(Predecessor.Row.init)
    }

    /// Returns the notes of a Parse service that changed since a time.
    func changes(since time: String) async throws -> [Predecessor.Row] {
        let date = #"{"__type":"Date","iso":"\#(time)"}"#
        return try await page(#"classes/Note?where={"updatedAt":{"$gte":\#(date)}}"#)
    }
}
