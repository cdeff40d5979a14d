public import protocol Foundation.LocalizedError

/// An error that prevents a model from being read or used.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// New kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind { case notFound, unreadable, invalid }
        private let kind: Kind

        /// There is no model at the path.
        public static let notFound = Code(kind: .notFound)
        /// The file at the path cannot be read, or is not a model.
        public static let unreadable = Code(kind: .unreadable)
        /// The model contradicts itself or requires something that a store cannot represent.
        public static let invalid = Code(kind: .invalid)
    }

    /// The kind of failure.
    public var code: Code

    /// A sentence that describes the problem and where it is.
    public var message: String

    /// A sentence that says how to fix the problem, or nil.
    public var hint: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, followed by the hint if there is one.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }
}

extension ModelError: LocalizedError {
    /// The same as ``description``, so that `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
