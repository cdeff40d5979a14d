import TidemarkModel

/// JSON while it is being put together: key paths meet in the same nested object.
indirect enum ExportTree {
    case value((inout JSONWriter) -> Void)
    /// A JSON text, and how deep the arrays and objects in it are nested.
    case json([UInt8], depth: Int)
    case array([ExportTree])
    case object(Members)

    /// The value that a JSON text is, without white space; nil when it is none.
    init?(json text: [UInt8]) {
        // How deep an export may be is judged on the whole of it.
        var limits = Limits()
        limits.jsonDepth = .max
        guard case .success(let document) = Self.document(text, limits) else { return nil }
        var compact: [UInt8] = []
        document.withRoot { $0.compactText(into: &compact) }
        self = .json(compact, depth: Self.depth(of: compact))
    }

    private static func document(
        _ text: [UInt8],
        _ limits: Limits
    ) -> Result<JSONDocument, JSONError> {
        Result { () throws(JSONError) in try JSONDocument(text, limits: limits) }
    }

    private static func depth(of json: [UInt8]) -> Int {
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

    /// How many arrays and objects are open at its deepest place.
    var depth: Int {
        switch self {
        case .value: 0
        case .json(_, let depth): depth
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): members.depth
        }
    }

    /// The members of an object, in the order they were added.
    struct Members {
        /// How many arrays and objects are open at its deepest place, itself included.
        private(set) var depth = 1

        private var names: [String] = []
        private var values: [String: ExportTree] = [:]

        /// Adds a value under a dotted path, unless a whole value stands in its way.
        mutating func add(_ path: some StringProtocol, _ value: ExportTree) {
            let dot = path.firstIndex(of: ".")
            let name = String(dot.map { path[..<$0] } ?? path[...])
            guard let dot else { return set(name, value) }
            var inner = Members()
            switch values[name] {
            case nil: break
            case .object(let members): inner = members
            case .value, .json, .array: return
            }
            inner.add(path[path.index(after: dot)...], value)
            put(name, .object(inner))
        }

        /// Whether something has been added under a dotted path, or stands in its way.
        func hasValue(at path: some StringProtocol) -> Bool {
            let dot = path.firstIndex(of: ".")
            let name = String(dot.map { path[..<$0] } ?? path[...])
            guard let dot, case .object(let inner) = values[name] else {
                return values[name] != nil
            }
            return inner.hasValue(at: path[path.index(after: dot)...])
        }

        /// Adds a value under a name, where an object joins one that stands there.
        private mutating func set(_ name: String, _ value: ExportTree) {
            guard case .object(let members) = value, case .object(var joined) = values[name] else {
                return put(name, value)
            }
            for name in members.names {
                if let value = members.values[name] { joined.set(name, value) }
            }
            put(name, .object(joined))
        }

        private mutating func put(_ name: String, _ value: ExportTree) {
            depth = max(depth, 1 + value.depth)
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
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
