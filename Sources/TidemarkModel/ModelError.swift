public import protocol Foundation.LocalizedError

/// Why a model cannot be read or used.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case notFound, unreadable, invalid }
        private let kind: Kind

        /// There is no model at the path.
        public static let notFound = Code(kind: .notFound)
        /// What is at the path is no model.
        public static let unreadable = Code(kind: .unreadable)
        /// The model contradicts itself or asks for what no store can hold.
        public static let invalid = Code(kind: .invalid)
    }

    /// What kind of failure it is.
    public var code: Code

    /// What is the matter, in a sentence that names the place.
    public var message: String

    /// What to do about it.
    public var hint: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, and what to do about it.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }
}

extension ModelError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
