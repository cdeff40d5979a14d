import TidemarkJSON
import TidemarkModel

extension Shape {
    /// How the objects at a path are represented in the model.
    enum Nesting {
        /// There are no objects.
        case none
        /// Attributes of the containing entity.
        case values
        /// A single object of an entity.
        case one
        /// A list of objects of an entity.
        case many
        /// An unmodified JSON value.
        case opaque
    }

    /// The maximum depth to which objects without a key become attributes.
    private static let depthLimit = 4

    /// The maximum number of paths in an object without a key whose values become attributes.
    private static let valueLimit = 100

    /// Returns how the objects here are represented.
    ///
    /// The depth is the number of enclosing objects that have no key of their own.
    func nesting(depth: Int) -> Nesting {
        guard let nested = nestedObject else { return .none }
        guard !nested.isData, !nested.fields.isEmpty, (element?.lists ?? 0) == 0 else {
            return .opaque
        }
        let isMany = lists > 0
        let key = nested.key(isMany ? .element : .member)
        let values = values
        if values.count > 0 {
            guard let key, values.convert(toKey: key.type) else { return .opaque }
        }
        if key != nil { return isMany ? .many : .one }
        // A value whose name cannot be part of a key path would be lost otherwise.
        guard nested.fields.keys.allSatisfy(PropertyPath.isUsable) else { return .opaque }
        if isMany { return .many }
        let isSmall = nested.pathCount <= Self.valueLimit
        return isSmall && depth < Self.depthLimit ? .values : .opaque
    }

    /// Whether there are objects here, either directly or in arrays.
    var hasObjects: Bool { object != nil || element?.object != nil }

    /// The objects here and those in arrays here, merged.
    var nestedObject: ObjectShape? {
        guard var nested = object else { return element?.object }
        if let other = element?.object { nested.merge(other) }
        return nested
    }

    /// Whether a value here was nested too deeply to be read.
    var isCut: Bool { unseen > 0 || element?.unseen ?? 0 > 0 }

    /// The scalars here and those in arrays here, merged.
    var values: ScalarStatistics {
        var values = scalars
        if let element { values.merge(element.scalars) }
        return values
    }

    /// Returns whether the scalars here and in arrays here are all keys of objects.
    func refers(onlyTo keys: [KeySketch]) -> Bool {
        references.isContained(in: keys) && element?.references.isContained(in: keys) ?? true
    }

    /// The class names of the Parse pointers here and in arrays here.
    var pointedAt: Set<String> { classes.union(element?.classes ?? []) }

    /// Removes and returns the objects, to make them a separate entity.
    mutating func takeObjects() -> ObjectShape? {
        let nested = nestedObject
        object = nil
        if var inner = element {
            inner.object = nil
            element = inner
        }
        return nested
    }
}

extension ObjectShape {
    /// Returns whether a member holds arrays of hypermedia links, which are URLs and not data.
    ///
    /// A member with single URLs returns false: those become relationships if they lead to a
    /// sampled list.
    ///
    /// Source: JSON Hypertext Application Language (HAL), “_links”.
    func hasLinkLists(_ name: String) -> Bool {
        guard Self.linkNames.contains(name), let links = fields[name]?.shape.nestedObject else {
            return false
        }
        return links.fields.values.contains { $0.shape.lists > 0 }
    }

    static let linkNames: Set<String> = ["_links", "@links"]

    /// Whether the names are data, as in an object that maps days to prices.
    var isData: Bool {
        if isOverfull { return true }
        if !fields.isEmpty, fields.keys.allSatisfy(Self.isDatum) { return true }
        let sightings = fields.values.reduce(0) { $0 + $1.shape.count }
        return fields.count >= 20 && sightings * 5 < fields.count * count
    }

    /// Returns whether a name is a number, a date or an identifier, or contains `/` or `@`.
    private static func isDatum(_ name: String) -> Bool {
        var text = name
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return DecimalNumber(bytes) != nil || TextStatistics.isUUID(bytes)
                || DateFormat.automatic.microseconds(from: bytes) != nil
                || TextStatistics.isToken(bytes) || bytes.contains(ASCII.slash)
                || bytes.contains(0x40)
        }
    }

    /// Returns whether a path is that of an `_id` next to an `id`.
    ///
    /// A key attribute `id` is read from both names, unless another attribute has one of them.
    func isSecondIdentity(_ path: [String]) -> Bool {
        path == ["_id"] && fields["id"] != nil
    }

    /// Returns the shape at a path; nil if no object has the path.
    func shape(at path: ArraySlice<String>) -> Shape? {
        guard let name = path.first, let shape = fields[name]?.shape else { return nil }
        return path.count > 1 ? shape.object?.shape(at: path.dropFirst()) : shape
    }

    /// Removes and returns the objects at a path.
    mutating func takeObjects(at path: ArraySlice<String>) -> ObjectShape? {
        guard let name = path.first else { return nil }
        guard path.count > 1 else { return fields[name]?.shape.takeObjects() }
        return fields[name]?.shape.object?.takeObjects(at: path.dropFirst())
    }
}

/// The rules for member names in a key path.
enum PropertyPath {
    /// The maximum length of a name, in bytes.
    private static let nameLimit = 200

    /// Returns whether a name can be part of a key path.
    ///
    /// A dot cannot: it separates the names.
    static func isUsable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameLimit && !name.utf8.contains(ASCII.point)
    }
}
