import TidemarkJSON

/// The position of the list of objects in a document.
///
/// A document that is an array is the list itself, whatever the envelope, unless the path begins
/// with the index of an element. If the resource is a single object, so is a document without a
/// member at the path.
///
/// ```swift
/// var films = service.resource("Film", path: "films")
/// films.style.envelope = .keyPath(["data", "items"])    // {"data": {"items": [{"id": 1}, …]}}
/// ```
public enum Envelope: Hashable, Encodable, Sendable {
    /// The document itself is the list, or the single object.
    case none

    /// The list is at a path of member names; in an array, a number is the index of an element.
    ///
    /// A document without a list at the path is an error (``RemoteError/Code/noList``), and not an
    /// empty list.
    case keyPath([String])

    /// Parses the value of an option: `none`, or a path with dots.
    package init(option: String) {
        self = option == "none" ? .none : .keyPath(option.pathComponents)
    }
}

extension Envelope {
    /// The path of the list; empty if the document is the list.
    var path: [String] {
        switch self {
        case .none: []
        case .keyPath(let path): path
        }
    }

    /// The path of the list in a document that is an array.
    var pathInArray: [String] { path.first.flatMap(JSONPath.index) == nil ? [] : path }

    /// The path with dots, as `JSONItemReader` expects it; nil for the document itself.
    package var root: String? { path.isEmpty ? nil : JSONPath(path).description }
}

extension ResourceStyle {
    /// Returns the path of the list, or of the single object, in a document.
    func path(in members: DocumentMembers) -> [String] {
        switch content {
        case _ where members.isArray: envelope.pathInArray
        // Many services have an envelope around lists only. In JSON:API, a document without `data`
        // contains errors or metadata, and no object.
        case .object where objects == .plain && members.lacks(envelope.path): []
        case .list, .object: envelope.path
        }
    }
}
