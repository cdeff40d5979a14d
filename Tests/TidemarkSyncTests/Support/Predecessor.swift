import HTTPTypes
import TidemarkRemote
import TidemarkTesting

/// A mirror as a predecessor kept it, as little of it as shows what became of its rows.
struct Predecessor {
    /// A row: the key, the text, and when the service, or the device, says that it changed.
    struct Row: Hashable {
        var key: String
        var text: String
        var changed = ""

        init(_ key: String, _ text: String, changed: String = "") {
            self.key = key
            self.text = text
            self.changed = changed
        }

        /// Reads an object of a list.
        init(_ object: FakeJSON) {
            key = (object["objectId"] ?? object["id"])?.string ?? ""
            text = object["text"]?.string ?? ""
            changed = (object["updatedAt"] ?? object["updated_at"])?.string ?? ""
        }
    }

    var rows: [Row] = []

    /// The rows, a line for each.
    var local: String {
        rows.map { "\($0.key) \($0.text)" }.sorted().joined(separator: "\n")
    }

    /// Updates or inserts what has come, as those did that looked rows up.
    mutating func merge(_ batch: [Row]) {
        for row in batch {
            rows.removeAll { $0.key == row.key }
            rows.append(row)
        }
    }
}

extension FakeService {
    /// The objects of one page of a list, by the path below the service's address.
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
        guard response.head.status == .ok else { throw RemoteError.unavailable(request, "refused") }
        let json = try FakeJSON(parsing: try await response.collect(upTo: 1 << 20))
        return (json["results"]?.elements ?? json.elements ?? []).map(Predecessor.Row.init)
    }

    /// What has changed in a class of a Parse service since a time.
    func changes(since time: String) async throws -> [Predecessor.Row] {
        let date = #"{"__type":"Date","iso":"\#(time)"}"#
        return try await page(#"classes/Note?where={"updatedAt":{"$gte":\#(date)}}"#)
    }
}
