import Foundation
import TidemarkStore

/// The messages of a service about the properties of a rejected change, as they are stored.
struct StoredMessages: Hashable, Sendable {
    /// The messages by the name of the property.
    let properties: [String: [String]]

    init(_ properties: [String: [String]]) { self.properties = properties }

    /// Reads the messages in a stored text.
    ///
    /// - Throws: ``StoreError/Code/damaged`` if another program has changed it.
    init(stored text: String) throws {
        do {
            properties = try JSONDecoder().decode([String: [String]].self, from: Data(text.utf8))
        } catch is DecodingError {
            throw StoreError.damaged("the messages about a change are not JSON")
        }
    }

    /// The text that is stored; nil without messages.
    var text: String? {
        get throws {
            guard !properties.isEmpty else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(properties), as: UTF8.self)
        }
    }
}
