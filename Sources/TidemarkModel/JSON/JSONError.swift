public import protocol Foundation.LocalizedError

/// Where and why a text is not valid JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong there, such as `expected a colon`.
    public var message: String

    /// The line, counted from 1.
    public var line: Int

    /// The column in that line, counted in characters from 1.
    public var column: Int

    /// The number of bytes before the place.
    public var offset: Int

    /// Creates an error.
    public init(_ message: String, line: Int, column: Int, offset: Int) {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The place and what is wrong there.
    public var description: String {
        "line \(line), column \(column): \(message)"
    }
}

extension JSONError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
