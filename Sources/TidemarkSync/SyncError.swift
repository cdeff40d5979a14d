public import protocol Foundation.LocalizedError

/// Why a pull cannot begin, or cannot go on.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; new kinds may be added.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case unknownEntity, unknownResource, duplicateResource, rivalResources, overtaken, busy,
                otherService
            case nothingToPull, invalidParent
        }
        private let kind: Kind

        /// A resource is for an entity that the store's model does not have.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// No resource has this path.
        public static let unknownResource = Code(kind: .unknownResource)
        /// Two resources have the same path.
        public static let duplicateResource = Code(kind: .duplicateResource)
        /// Two resources would delete each other's rows.
        public static let rivalResources = Code(kind: .rivalResources)
        /// The path of a resource names a parent that its entity does not have, or that no other
        /// resource brings.
        public static let invalidParent = Code(kind: .invalidParent)
        /// Another run began meanwhile, and has taken over.
        public static let overtaken = Code(kind: .overtaken)
        /// Another run is at work on the store.
        public static let busy = Code(kind: .busy)
        /// The store belongs to another service, or another account.
        public static let otherService = Code(kind: .otherService)
        /// No resource is configured, or none for the entities that were named.
        public static let nothingToPull = Code(kind: .nothingToPull)
    }

    /// What kind of failure it is.
    public var code: Code

    /// What is the matter, in a sentence that names the resource.
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

extension SyncError: LocalizedError {
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
