public import protocol Foundation.LocalizedError

/// Why there are no items where somebody said a document has them.
public struct JSONItemsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter.
    public enum Reason: Hashable, Sendable {
        /// There is no member of that name.
        case missing
        /// The path leads through a value that is no object.
        case notAnObject(JSONKind)
        /// What is there is neither an array nor an object.
        case notAList(JSONKind)
        /// The name occurs a second time, behind a list that has been read already.
        case repeated
    }

    /// What is the matter.
    public var reason: Reason

    /// The path that was asked for; nil for the document itself.
    public var keyPath: String?

    /// The part of the path up to the place the reason is about; empty for the document itself.
    public var place: String

    /// What is the matter, in a sentence that names the place.
    public var description: String {
        let list = keyPath.map { "there is no list at `\($0)`" } ?? "the document is not a list"
        return switch reason {
        case .missing: "\(list): `\(place)` is missing"
        case .notAnObject(let kind): "\(list): \(subject) is \(Self.name(kind)), not an object"
        case .notAList(let kind):
            "expected an array or an object\(keyPath.map { " at `\($0)`" } ?? ""), found \(Self.name(kind))"
        case .repeated: "`\(place)` occurs twice; which of the two is meant cannot be told"
        }
    }

    /// Creates an error about the first `depth` names of a path, or for a missing one the next.
    init(_ reason: Reason, _ names: [String], depth: Int) {
        self.reason = reason
        keyPath = names.isEmpty ? nil : names.joined(separator: ".")
        let isNext = reason == .missing || reason == .repeated
        place = names.prefix(isNext ? depth + 1 : depth).joined(separator: ".")
    }

    /// The names of a path; none for the document itself.
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
    /// The description: what `localizedDescription` returns.
    public var errorDescription: String? { description }
}
