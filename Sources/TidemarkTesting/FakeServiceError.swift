/// Why a fake service cannot be made of its data, or has nothing to change.
public struct FakeServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter, in a sentence that names the place.
    public var message: String

    /// Creates an error.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension FakeJSON {
    /// Reads a JSON text.
    ///
    /// - Throws: ``FakeServiceError`` where it is none.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        var reader = FakeJSONReader(Array(bytes))
        do {
            self = try reader.document()
        } catch let failure as FakeJSONReader.Failure {
            throw FakeServiceError("The text is no JSON at byte \(failure.offset).")
        }
    }
}
