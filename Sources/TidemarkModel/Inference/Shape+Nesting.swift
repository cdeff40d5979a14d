extension Shape {
    /// What the objects of a place become.
    enum Nesting {
        /// There are none.
        case none
        /// Values of the object that contains them.
        case values
        /// One object of an entity.
        case one
        /// Objects of an entity.
        case many
        /// JSON, kept as it is.
        case opaque
    }

    /// How deep values are followed into objects without a key.
    private static let depthLimit = 4

    /// How many places an object without a key may have to be values of the one around it.
    private static let valueLimit = 100

    /// What the objects here become, so many objects without a key being around them.
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
        guard nested.fields.keys.allSatisfy(PropertyPath.isUsable) else { return .opaque }
        if isMany { return .many }
        let isSmall = nested.placeCount <= Self.valueLimit
        return isSmall && depth < Self.depthLimit ? .values : .opaque
    }

    /// Whether objects stand here, alone or in lists.
    var hasObjects: Bool { object != nil || element?.object != nil }

    /// The objects here, whether they stand alone or in lists.
    var nestedObject: ObjectShape? {
        guard var nested = object else { return element?.object }
        if let other = element?.object { nested.merge(other) }
        return nested
    }

    /// Whether something here was nested too deeply to be looked at.
    var isCut: Bool { unseen > 0 || element?.unseen ?? 0 > 0 }

    /// The plain values here, whether they stand alone or in lists.
    var values: ScalarFacts {
        var values = scalars
        if let element { values.merge(element.scalars) }
        return values
    }

    /// The classes that pointers here lead to, whether they stand alone or in lists.
    var pointedAt: Set<String> { classes.union(element?.classes ?? []) }

    /// Takes the objects out, which have become an entity of their own.
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
    /// Whether the member of a name holds lists of links, which are addresses and no data.
    ///
    /// Single addresses in such a member become relationships where they lead to a sampled list.
    ///
    /// Source: JSON Hypertext Application Language (HAL), “_links”.
    func hasLinkLists(_ name: String) -> Bool {
        guard Self.linkNames.contains(name), let links = fields[name]?.shape.nestedObject else {
            return false
        }
        return links.fields.values.contains { $0.shape.lists > 0 }
    }

    private static let linkNames: Set<String> = ["_links", "@links"]

    /// Whether the names are data, as in an object of prices by day.
    var isData: Bool {
        if isOverfull { return true }
        if !fields.isEmpty, fields.keys.allSatisfy(Self.isDatum) { return true }
        let sightings = fields.values.reduce(0) { $0 + $1.shape.count }
        return fields.count >= 20 && sightings * 5 < fields.count * count
    }

    /// Whether a name is a number, a date or an identifier.
    private static func isDatum(_ name: String) -> Bool {
        var text = name
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return DecimalNumber(bytes) != nil || TextFacts.isUUID(bytes)
                || DateFormat.automatic.microseconds(from: bytes) != nil
                || TextFacts.isToken(bytes) || bytes.contains(ASCII.slash)
                || bytes.contains(0x40)
        }
    }

    /// Whether a path leads to an `_id` beside an `id`.
    ///
    /// A key that is called `id` answers to both, unless another attribute is called so.
    func isSecondIdentity(_ path: [String]) -> Bool {
        path == ["_id"] && fields["id"] != nil
    }

    /// Takes the objects at a path out.
    mutating func takeObjects(at path: ArraySlice<String>) -> ObjectShape? {
        guard let name = path.first else { return nil }
        guard path.count > 1 else { return fields[name]?.shape.takeObjects() }
        return fields[name]?.shape.object?.takeObjects(at: path.dropFirst())
    }
}

/// Names that lead through objects to a value.
enum PropertyPath {
    /// How many bytes a name may have.
    private static let nameLimit = 200

    /// Whether a model can speak of the name: dots stand between the names of a path.
    static func isUsable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameLimit && !name.utf8.contains(ASCII.point)
    }
}
