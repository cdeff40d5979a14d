import TidemarkJSON
import TidemarkModel
import TidemarkStore

/// A JSON value under construction, in which key paths with the same prefix share one nested
/// object.
indirect enum ExportTree {
    case value((inout JSONWriter) -> Void)
    /// A JSON text, and the nesting depth of its arrays and objects.
    case json([UInt8], depth: Int)
    case array([ExportTree])
    case object(Members)
    /// The lack of a member, which an object that is laid over another one removes there.
    case removed

    static var null: ExportTree { .value { $0.null() } }

    static func string(_ text: String) -> ExportTree { .value { $0.string(text) } }

    /// Returns an object whose values are texts.
    static func object(_ texts: KeyValuePairs<String, String>) -> ExportTree {
        var members = Members()
        for (name, text) in texts { members.add(.string(text), at: name) }
        return .object(members)
    }

    /// Creates a value in the form in which a service writes it.
    init(_ value: WrittenValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .raw(let text): self = .value { $0.raw(text) }
        }
    }

    /// Creates a value that does not depend on a row.
    init(constant value: Value) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .value { $0.integer(number) }
        case .double(let number): self = .value { $0.double(number) }
        case .boolean(let flag): self = .value { $0.boolean(flag) }
        case .decimal(let text), .json(let text):
            self = ExportTree(json: Array(text.utf8)) ?? .string(text)
        case .string, .date, .uuid, .uri, .binary: self = .string(value.requestText)
        }
    }

    /// Creates a value from a JSON text, without white space; nil if the text is not valid JSON.
    init?(json text: [UInt8]) {
        // The depth limit applies to the whole export, not to this value.
        var limits = JSONLimits()
        limits.depth = .max
        let scanned = Result { () throws(JSONError) in try JSONDocument(text, limits: limits) }
        guard case .success(let document) = scanned else { return nil }
        self = document.withRoot { ExportTree($0) }
    }

    /// Creates a value from one of a service, without white space.
    init(_ node: JSONNode) {
        var compact: [UInt8] = []
        node.compactText(into: &compact)
        self = .json(compact, depth: Self.depth(of: compact))
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

    /// The nesting depth of arrays and objects.
    var depth: Int {
        switch self {
        case .value, .removed: 0
        case .json(_, let depth): depth
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): members.depth
        }
    }

    /// The members of an object, in insertion order.
    struct Members {
        /// The nesting depth of arrays and objects, including this object.
        private(set) var depth = 1

        /// Whether the object is a part of one of the service, whose other members stay as they
        /// are; a reference, for example, is not.
        var isPart = false

        /// The row that the object is written from; nil for an object that key paths make.
        var origin: Origin?

        /// The row that an object is written from.
        struct Origin {
            let row: RowReference

            /// The names of the members with the key; empty for a row without one.
            let key: [String]
        }

        private(set) var names: [String] = []
        private var values: [String: ExportTree] = [:]

        init() {}

        /// The value of a member; nil without one.
        subscript(name: String) -> ExportTree? { values[name] }

        /// Adds a value at a key path, unless a step of the path is a value other than an object.
        mutating func add(_ value: ExportTree, at path: some StringProtocol) {
            var rest = Substring(path)
            let name = JSONPath.takeName(from: &rest)
            guard !rest.isEmpty else { return set(value, for: name) }
            var inner = Members()
            inner.isPart = true
            switch values[name] {
            case nil, .removed: break
            case .object(let members): inner = members
            case .value, .json, .array: return
            }
            inner.add(value, at: rest.dropFirst())
            put(.object(inner), for: name)
        }

        /// Returns whether there is a value at a key path, or a step of the path is a value other
        /// than an object.
        func hasValue(at path: some StringProtocol) -> Bool {
            var rest = Substring(path)
            let name = JSONPath.takeName(from: &rest)
            guard !rest.isEmpty, case .object(let inner) = values[name] else {
                return values[name] != nil
            }
            return inner.hasValue(at: rest.dropFirst())
        }

        /// Sets a member.
        ///
        /// An object is merged with an object that the member already has.
        private mutating func set(_ value: ExportTree, for name: String) {
            guard case .object(let members) = value, case .object(var joined) = values[name] else {
                return put(value, for: name)
            }
            joined.merge(members)
            put(.object(joined), for: name)
        }

        /// Sets the members of another object.
        mutating func merge(_ other: Self) {
            for name in other.names {
                if let value = other.values[name] { set(value, for: name) }
            }
        }

        mutating func put(_ value: ExportTree, for name: String) {
            depth = max(depth, 1 + value.depth)
            if values.updateValue(value, forKey: name) == nil { names.append(name) }
        }

        func write(into writer: inout JSONWriter) {
            if isPart, origin == nil, let elements {
                return ExportTree.array(elements).write(into: &writer)
            }
            writer.beginObject()
            for name in names {
                guard let value = values[name], !value.isRemoved else { continue }
                writer.key(name)
                value.write(into: &writer)
            }
            writer.endObject()
        }
    }

    /// Whether nothing is written.
    fileprivate var isRemoved: Bool {
        switch self {
        case .removed: true
        case .object(let members):
            members.isPart && !members.names.isEmpty
                && members.names.allSatisfy { members[$0]?.isRemoved == true }
        case .value, .json, .array: false
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
        // An element of an array has to have a value.
        case .removed: writer.null()
        }
    }
}
