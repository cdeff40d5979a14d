extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as one line: `User:6, age: The value is not a number. (2 times)`.
    ///
    /// It consists of the row, the JSON key, the message, the value if it is known, and the count
    /// if it is greater than 1.
    public var description: String {
        let key = key.map { ":\($0)" } ?? ""
        let path = path.map { ", \($0)" } ?? ""
        let value = value.map { " (\($0))" } ?? ""
        let times = count > 1 ? " (\(count) times)" : ""
        return "\(entity)\(key)\(path): \(message)\(value)\(times)"
    }
}
