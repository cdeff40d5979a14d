/// An error of a fake service: its data are invalid, or there is nothing to change.
public struct FakeServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence that describes the error and where it is.
    public var message: String

    /// Creates an error with a message.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension FakeJSON {
    /// Parses a JSON text.
    ///
    /// - Throws: ``FakeServiceError`` if the text is not valid JSON.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        var reader = FakeJSONReader(Array(bytes))
        do {
            self = try reader.document()
        } catch let failure as FakeJSONReader.Failure {
            throw FakeServiceError("The text is no JSON at byte \(failure.offset).")
        }
    }
}
