import TidemarkJSON
import TidemarkModel

/// A JSON value under construction, in which key paths with the same prefix share one nested
/// object.
indirect enum ExportTree {
    case value((inout JSONWriter) -> Void)
    /// A JSON text, and the nesting depth of its arrays and objects.
    case json([UInt8], depth: Int)
    case array([ExportTree])
    case object(Members)

    static var null: ExportTree { .value { $0.null() } }

    static func string(_ text: String) -> ExportTree { .value { $0.string(text) } }

    /// Returns an object whose values are texts.
    static func object(_ texts: KeyValuePairs<String, String>) -> ExportTree {
        var members = Members()
        for (name, text) in texts { members.add(.string(text), at: name) }
        return .object(members)
    }

    /// Creates a value from a JSON text, without white space; nil if the text is not valid JSON.
    init?(json text: [UInt8]) {
        // The depth limit applies to the whole export, not to this value.
        var limits = JSONLimits()
        limits.depth = .max
        let scanned = Result { () throws(JSONError) in try JSONDocument(text, limits: limits) }
        guard case .success(let document) = scanned else { return nil }
        var compact: [UInt8] = []
        document.withRoot { $0.compactText(into: &compact) }
        self = .json(compact, depth: Self.depth(of: compact))
    }

    fileprivate static func depth(of json: [UInt8]) -> Int {
        var (open, deepest) = (0, 0)
        var (isInString, isEscaped) = (false, false)
        for byte in json {
            if isInString {
                isInString = byte != UInt8(ascii: "\"") || isEscaped
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
            default: continue
            }
            deepest = max(deepest, open)
        }
        return deepest
    }

    /// The nesting depth of arrays and objects.
    var depth: Int {
        switch self {
        case .value: 0
        case .json(_, let depth): depth
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): members.depth
        }
    }

    /// The members of an object, in insertion order.
    struct Members {
        /// The nesting depth of arrays and objects, including this object.
        private(set) var depth = 1

        private var names: [String] = []
        private var values: [String: ExportTree] = [:]

        var isEmpty: Bool { names.isEmpty }

        init() {}

        /// Adds a value at a dotted path, unless a step of the path is a value other than an
        /// object.
        mutating func add(_ value: ExportTree, at path: some StringProtocol) {
            let dot = path.firstIndex(of: ".")
            let name = String(dot.map { path[..<$0] } ?? path[...])
            guard let dot else { return set(value, for: name) }
            var inner = Members()
            switch values[name] {
            case nil: break
            case .object(let members): inner = members
            case .value, .json, .array: return
            }
            inner.add(value, at: path[path.index(after: dot)...])
            put(.object(inner), for: name)
        }

        /// Returns whether there is a value at a dotted path, or a step of the path is a value
        /// other than an object.
        func hasValue(at path: some StringProtocol) -> Bool {
            let dot = path.firstIndex(of: ".")
            let name = String(dot.map { path[..<$0] } ?? path[...])
            guard let dot, case .object(let inner) = values[name] else {
                return values[name] != nil
            }
            return inner.hasValue(at: path[path.index(after: dot)...])
        }

        /// Sets a member.
        ///
        /// An object is merged with an object that the member already has.
        private mutating func set(_ value: ExportTree, for name: String) {
            guard case .object(let members) = value, case .object(var joined) = values[name] else {
                return put(value, for: name)
            }
            for name in members.names {
                if let value = members.values[name] { joined.set(value, for: name) }
            }
            put(.object(joined), for: name)
        }

        private mutating func put(_ value: ExportTree, for name: String) {
            depth = max(depth, 1 + value.depth)
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }

        /// Creates the members of an object of the service, replaced by those of another one.
        ///
        /// Objects that both have are joined.
        init(_ object: JSONNode, overlaidBy other: Members) {
            self.init()
            for (name, value) in object.members {
                let name = name.string
                if case .object(let inner) = other.values[name], value.kind == .object {
                    put(.object(Members(value, overlaidBy: inner)), for: name)
                } else if other.values[name] == nil {
                    var text: [UInt8] = []
                    value.compactText(into: &text)
                    put(.json(text, depth: ExportTree.depth(of: text)), for: name)
                }
            }
            for name in other.names where values[name] == nil {
                if let value = other.values[name] { put(value, for: name) }
            }
        }

        func write(into writer: inout JSONWriter) {
            writer.beginObject()
            for name in names {
                writer.key(name)
                values[name]?.write(into: &writer)
            }
            writer.endObject()
        }
    }

    func write(into writer: inout JSONWriter) {
        switch self {
        case .value(let write): write(&writer)
        case .json(let text, _): text.withUnsafeBytes { writer.raw($0) }
        case .object(let members): members.write(into: &writer)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        }
    }
}
