import TidemarkModel

/// JSON while it is being put together: key paths meet in the same nested object.
indirect enum ExportTree {
    case value((inout JSONWriter) -> Void)
    case array([ExportTree])
    case object(Members)

    /// The members of an object, in the order they were added.
    struct Members {
        private var names: [String] = []
        private var values: [String: ExportTree] = [:]

        /// Adds a value under a dotted path.
        mutating func add(_ path: some StringProtocol, _ value: ExportTree) {
            let dot = path.firstIndex(of: ".")
            let name = String(dot.map { path[..<$0] } ?? path[...])
            guard let dot else { return set(name, value) }
            var inner = Members()
            if case .object(let members) = values[name] { inner = members }
            inner.add(path[path.index(after: dot)...], value)
            set(name, .object(inner))
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

        private mutating func set(_ name: String, _ value: ExportTree) {
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
        case .object(let members): members.write(into: &writer)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(into: &writer) }
            writer.endArray()
        }
    }
}
