import TidemarkJSON
import TidemarkModel
package import TidemarkStore

extension StoredRecord {
    /// Returns the record with invalid JSON values replaced by null, and the name of the first
    /// attribute with such a value.
    ///
    /// Another program can write any text into the column of a `json` or a `decimal` attribute.
    /// Output in JSON uses this record, and then fails with an error.
    package func checkingJSON() -> (record: StoredRecord, invalid: String?) {
        let invalid = values.filter { !$0.value.isJSON }.keys.sorted()
        guard !invalid.isEmpty else { return (self, nil) }
        var values = values
        for name in invalid { values[name] = .null }
        return (StoredRecord(reference: reference, values: values, links: links), invalid[0])
    }
}

extension StoreError {
    /// Runs `body`, which writes JSON, and returns the error about an invalid value with which it
    /// ended.
    ///
    /// The output is a complete document nevertheless.
    package static func ofInvalidValue(_ body: () throws -> Void) throws -> StoreError? {
        do {
            try body()
            return nil
        } catch let error as StoreError where error.code == .invalidValue {
            return error
        }
    }

    /// Returns the error about a value that is not valid JSON.
    package static func notJSON(_ attribute: String, of row: RowReference) -> StoreError {
        StoreError(
            .invalidValue,
            "The value of \(attribute) in \(row) is not valid JSON: it was printed as null.",
            hint: "Another program has written it. Correct it with tidemark update."
        )
    }
}

extension Value {
    /// Whether the value can be written as JSON.
    fileprivate var isJSON: Bool {
        switch self {
        case .json(let text), .decimal(let text):
            var limits = JSONLimits()
            limits.depth = .max
            let document = Result { () throws(JSONError) in
                try JSONDocument(Array(text.utf8), limits: limits)
            }
            if case .success = document { return true } else { return false }
        case .null, .integer, .double, .boolean, .string, .uuid, .uri, .date, .binary:
            return true
        }
    }
}
