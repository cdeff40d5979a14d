public import protocol Foundation.LocalizedError

/// An error that reports that a document has no items at the given path.
///
/// The text is valid JSON, but it is not the list that was expected. The usual reasons are a wrong
/// path, and a service that responded with an error object instead of a list.
///
/// ```swift
/// let body = Array(#"{"error": "unknown user"}"#.utf8)
/// do {
///     _ = try JSONDocument(body).items(at: "results")
/// } catch {
///     print(error)   // there is no list at `results`: `results` is missing
/// }
/// ```
public struct JSONItemsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason for the error.
    package enum Reason: Hashable, Sendable {
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
    package var reason: Reason

    /// The requested path; empty for the document itself.
    public var path: JSONPath

    /// The part of the requested path at which the search ended; empty for the document itself.
    ///
    /// For a missing member it ends with the name of that member: `data` if the path `data.users`
    /// was requested and the document has no member `data`.
    public var position: JSONPath

    /// The reason in a sentence, with the path and the kind of value that was found there.
    public var description: String {
        let list = path.isEmpty ? "the document is not a list" : "there is no list at `\(path)`"
        return switch reason {
        case .missing: "\(list): `\(position)` is missing"
        case .notAnObject(let kind): "\(list): \(subject) is \(Self.name(kind)), not an object"
        case .notAList(let kind):
            "expected an array or an object\(path.isEmpty ? "" : " at `\(path)`"), found \(Self.name(kind))"
        case .repeated: "`\(position)` occurs twice; it is ambiguous which of the two is meant"
        }
    }

    /// Creates an error about the first `depth` names of a path.
    ///
    /// If the reason is that a member is missing or repeated, the next name is included.
    init(_ reason: Reason, at path: JSONPath, depth: Int) {
        self.reason = reason
        self.path = path
        let isNext = reason == .missing || reason == .repeated
        position = path.prefix(isNext ? depth + 1 : depth)
    }

    private var subject: String { position.isEmpty ? "the document" : "`\(position)`" }

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
