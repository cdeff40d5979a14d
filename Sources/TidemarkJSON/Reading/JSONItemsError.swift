public import protocol Foundation.LocalizedError

/// An error that reports that a document has no items at the given key path.
public struct JSONItemsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The object has no member with that name.
        case missing
        /// The path leads through a value that is not an object.
        case notAnObject(JSONKind)
        /// The value is neither an array nor an object.
        case notAList(JSONKind)
        /// The member occurs again after its value has been read.
        case repeated
    }

    /// The reason for the error.
    public var reason: Reason

    /// The requested key path; nil for the document itself.
    public var keyPath: String?

    /// The part of the key path to which the reason applies; empty for the document itself.
    public var place: String

    /// The reason in a sentence, with the key path.
    public var description: String {
        let list = keyPath.map { "there is no list at `\($0)`" } ?? "the document is not a list"
        return switch reason {
        case .missing: "\(list): `\(place)` is missing"
        case .notAnObject(let kind): "\(list): \(subject) is \(Self.name(kind)), not an object"
        case .notAList(let kind):
            "expected an array or an object\(keyPath.map { " at `\($0)`" } ?? ""), found \(Self.name(kind))"
        case .repeated: "`\(place)` occurs twice; it is ambiguous which of the two is meant"
        }
    }

    /// Creates an error about the first `depth` names of a path.
    ///
    /// If the reason is that a member is missing or repeated, the next name is included.
    init(_ reason: Reason, _ names: [String], depth: Int) {
        self.reason = reason
        keyPath = names.isEmpty ? nil : names.joined(separator: ".")
        let isNext = reason == .missing || reason == .repeated
        place = names.prefix(isNext ? depth + 1 : depth).joined(separator: ".")
    }

    /// Returns the names of a key path; empty for the document itself.
    static func names(_ keyPath: String?) -> [String] {
        guard let keyPath, !keyPath.isEmpty else { return [] }
        return keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private var subject: String { place.isEmpty ? "the document" : "`\(place)`" }

    private static func name(_ kind: JSONKind) -> String {
        switch kind {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true, .false: "a boolean"
        case .null: "null"
        }
    }
}

extension JSONItemsError: LocalizedError {
    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
}
