public import protocol Foundation.LocalizedError

/// An error that prevents a pull from starting, or that stops all of it.
///
/// The failures of single resources are not thrown as this type. They are in
/// ``SyncReport/failures``.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unknownEntity, unknownResource, duplicateResource, conflictingResources, overtaken,
                busy,
                otherService
            case nothingToPull, invalidParent
        }
        private let kind: Kind

        /// The entity of a resource does not exist in the store's model.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// No resource of the engine has this path.
        public static let unknownResource = Code(kind: .unknownResource)
        /// Two resources have the same path.
        public static let duplicateResource = Code(kind: .duplicateResource)
        /// Two resources would delete each other's rows.
        public static let conflictingResources = Code(kind: .conflictingResources)
        /// The path of a resource names a parent that its entity does not have, or that no other
        /// resource lists.
        public static let invalidParent = Code(kind: .invalidParent)
        /// Another pull, usually of another process, has taken over the lease of this one.
        public static let overtaken = Code(kind: .overtaken)
        /// Another engine or process is pulling into the store.
        public static let busy = Code(kind: .busy)
        /// The store belongs to another service or another account.
        public static let otherService = Code(kind: .otherService)
        /// No resource is configured, or none for the requested entities.
        public static let nothingToPull = Code(kind: .nothingToPull)
    }

    /// The kind of the error.
    public var code: Code

    /// What failed, as a sentence that names the resource, store or process.
    public var message: String

    /// How to resolve the error; nil if there is no advice.
    public var hint: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// The message, followed by the hint.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }
}

extension SyncError: LocalizedError {
    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
