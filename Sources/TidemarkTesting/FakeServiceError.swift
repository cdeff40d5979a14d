/// An error in the data of a fake service, such as a file that is not a JSON array.
///
/// Failures that a fake service *injects* are not of this type: they are responses, and errors of
/// the transport, as from a service across the network. See ``FakeFault``.
public struct FakeServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that describes the error and where it is, with the name of the file or the offset
    /// of the byte.
    public var message: String

    /// Creates an error with a message.
    package init(_ message: String) {
        self.message = message
    }

    /// The same text as ``message``.
    public var description: String { message }
}

extension FakeJSON {
    /// Parses a JSON text, such as a recorded response.
    ///
    /// The order of members and the digits of numbers are preserved: the description of the value
    /// is the text, except for white space and escape sequences.
    ///
    /// ```swift
    /// let film = try FakeJSON(parsing: #"{"id": 4, "title": "A New Hope"}"#.utf8)
    /// print(film["title"] ?? .null)  // "A New Hope"
    /// ```
    ///
    /// - Parameter bytes: The text in UTF-8.
    /// - Throws: ``FakeServiceError`` if the text is not valid JSON, or is nested in 500 levels or
    ///   more.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        var reader = FakeJSONReader(Array(bytes))
        do {
            self = try reader.document()
        } catch let failure as FakeJSONReader.Failure {
            throw FakeServiceError("The text is not JSON at byte \(failure.offset).")
        }
    }
}
