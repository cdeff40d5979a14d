import TidemarkModel
package import TidemarkStore

extension StoredRecord {
    /// The record with null in the place of values that were to be JSON and are not, and the first
    /// attribute that has such a value.
    ///
    /// Another program can write any text into the column of a `json` or a `decimal` attribute.
    /// Whatever prints JSON prints this, and then fails.
    package func checkingJSON() -> (record: StoredRecord, invalid: String?) {
        let invalid = values.filter { !$0.value.isJSON }.keys.sorted()
        guard !invalid.isEmpty else { return (self, nil) }
        var values = values
        for name in invalid { values[name] = .null }
        return (StoredRecord(reference: reference, values: values, links: links), invalid[0])
    }
}

extension StoreError {
    /// Runs a body that writes JSON, and returns the error with which it has ended a document that
    /// is complete.
    package static func ofInvalidValue(_ body: () throws -> Void) throws -> StoreError? {
        do {
            try body()
            return nil
        } catch let error as StoreError where error.code == .invalidValue {
            return error
        }
    }

    /// The error about a value that was to be JSON.
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
            var limits = Limits()
            limits.jsonDepth = .max
            let document = Result { () throws(JSONError) in
                try JSONDocument(Array(text.utf8), limits: limits)
            }
            if case .success = document { return true } else { return false }
        case .null, .integer, .double, .boolean, .string, .uuid, .uri, .date, .binary:
            return true
        }
    }
}
