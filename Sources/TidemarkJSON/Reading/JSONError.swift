public import protocol Foundation.LocalizedError

/// An error that reports that a text is not valid JSON, and its position.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, such as `expected a colon`.
    public var message: String

    /// The line, counted from 1.
    public var line: Int

    /// The column in the line, counted in characters from 1.
    public var column: Int

    /// The number of bytes before the position.
    public var offset: Int

    /// Creates an error.
    public init(_ message: String, line: Int, column: Int, offset: Int) {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The line, the column and the message.
    public var description: String {
        "line \(line), column \(column): \(message)"
    }
}

extension JSONError: LocalizedError {
    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
}
