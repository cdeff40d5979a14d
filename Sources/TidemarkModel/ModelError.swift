public import protocol Foundation.LocalizedError

/// An error that prevents a model from being read or used.
///
/// It is thrown before anything is written: a store that cannot be created or migrated is
/// unchanged.
///
/// ```swift
/// do {
///     try model.validate()
/// } catch let error as ModelError where error.code == .invalid {
///     print(error.message)
///     print(error.hint ?? "")
/// }
/// ```
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// New kinds may be added, so handle unknown ones with a `default`.
    public struct Code: Hashable, Sendable {
        private enum Kind { case notFound, unreadable, invalid }
        private let kind: Kind

        /// There is no file or bundle at the path of the model.
        public static let notFound = Code(kind: .notFound)
        /// The file at the path cannot be read, or is not a model.
        ///
        /// The message contains the reason, such as a syntax error with its position.
        public static let unreadable = Code(kind: .unreadable)
        /// The model contradicts itself or requires something that a store cannot represent.
        ///
        /// Correct the model: reading it again fails in the same way.
        public static let invalid = Code(kind: .invalid)
    }

    /// The kind of failure, for decisions of a program.
    public var code: Code

    /// A sentence that describes the problem and where it is.
    ///
    /// It names the file, and the entity and property if one is concerned: `User.bornAt: …`.
    public var message: String

    /// A sentence that says how to fix the problem, or nil.
    ///
    /// If a model has several errors, it also lists the others.
    public var hint: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, hint: String? = nil) {
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
