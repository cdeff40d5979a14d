/// Where the list of objects stands in a document.
///
/// A document that is an array is the list itself, whatever the envelope says.
public enum Envelope: Hashable, Encodable, Sendable {
    /// The document itself is the list, or the one object.
    case none

    /// The list stands under a key, or under nested keys.
    case keyPath([String])

    /// The envelope that an option names: `none`, or keys with dots between.
    public init(option: String) {
        self = option == "none" ? .none : .keyPath(option.split(separator: ".").map(String.init))
    }
}

extension Envelope {
    /// The names that lead to the list; none where the document is the list.
    var names: [String] {
        switch self {
        case .none: []
        case .keyPath(let names): names
        }
    }
}
