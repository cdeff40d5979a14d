public import protocol Foundation.LocalizedError

/// An error that reports that a text is not valid JSON, and its position.
///
/// It is also thrown if a text exceeds the ``JSONLimits``. The message never contains any part of
/// the text, so it can be logged even if the text is confidential.
///
/// ```swift
/// do {
///     _ = try JSONDocument(Array(#"{"id": 1,}"#.utf8))
/// } catch {
///     print(error.line, error.column, error.message)
///     // 1 10 expected a name in quotation marks
/// }
/// ```
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem, such as `expected a colon` or `unexpected end of input`.
    ///
    /// The latter means that the text is truncated, as after an interrupted download.
    public var message: String

    /// The line of the problem, counted from 1; lines end with a line feed.
    public var line: Int

    /// The column of the problem in its line, counted from 1 in Unicode scalars, not in bytes.
    public var column: Int

    /// The number of bytes before the problem, a byte-order mark included.
    ///
    /// In a text that is read in pieces, it is counted from the start of the whole text.
    public var offset: Int

    /// Creates an error.
    package init(_ message: String, line: Int, column: Int, offset: Int) {
        self.message = message
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// The line, the column and the message: `line 1, column 6: expected a colon`.
    public var description: String {
        "line \(line), column \(column): \(message)"
    }
}

extension JSONError: LocalizedError {
    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
}
