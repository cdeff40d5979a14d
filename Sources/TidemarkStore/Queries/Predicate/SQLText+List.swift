import TidemarkModel

extension SQLText {
    /// Returns the values after `IN`: a long list of integers or texts as a single value.
    ///
    /// SQLite binds at most 32,766 values, and compiles a statement for each number of them.
    static func list(_ values: [SQLText]) -> SQLText {
        let long = 500
        let single = values.count > long ? integers(values) ?? texts(values) : nil
        return single ?? values.joined(by: ", ")
    }

    private static func integers(_ values: [SQLText]) -> SQLText? {
        let numbers = values.compactMap { value -> Int64? in
            guard case .integer(let number) = value.arguments.first else { return nil }
            return number
        }
        return numbers.count == values.count ? .each(numbers) : nil
    }

    private static func texts(_ values: [SQLText]) -> SQLText? {
        let texts = values.compactMap { value -> String? in
            switch value.arguments.first {
            // SQLite ends a text in JSON at U+0000.
            case .string(let text), .uuid(let text), .uri(let text):
                text.utf8.contains(0) ? nil : text
            default: nil
            }
        }
        guard texts.count == values.count else { return nil }
        return "SELECT value FROM json_each(\(Value.array(of: texts)))"
    }
}
