import TidemarkJSON

/// Members that are laid over those of an object of the service.
extension ExportTree.Members {
    /// Creates the members of an object of the service, replaced by those of another one.
    ///
    /// What both have is joined, if it is a part of the other one, or a list of parts.
    ///
    /// - Parameters:
    ///   - object: The object of the service.
    ///   - other: The other one.
    ///   - former: What is known of the other one's members when the service sent the object. Those
    ///     that have not changed since stay as the service has them.
    init(_ object: JSONNode, overlaidBy other: Self, since former: Self?) {
        self.init()
        isPart = other.isPart
        origin = other.origin
        func changed(_ name: String) -> ExportTree? {
            guard let change = other[name] else { return nil }
            return former?[name]?.hasSameText(as: change) == true ? nil : change
        }
        for (name, value) in object.members {
            let name = name.string
            guard let change = changed(name) else {
                put(ExportTree(value), for: name)
                continue
            }
            // Other values follow those of the service.
            if change.isPart { put(change.joined(with: value, since: former?[name]), for: name) }
        }
        for name in other.names where self[name] == nil {
            guard let change = changed(name) else { continue }
            if case .removed = change { continue }
            put(change, for: name)
        }
    }

    /// Returns these members, of which those that are parts are completed from an object of the
    /// service.
    ///
    /// - Parameters:
    ///   - object: The object of the service.
    ///   - nesting: How the service changes such members.
    ///   - former: What is known of the members when the service sent the object.
    /// - Returns: The members.
    func completed(from object: JSONNode, _ nesting: MemberNesting, since former: Self?) -> Self {
        var completed = Self()
        completed.isPart = isPart
        completed.origin = origin
        for name in names {
            guard let value = self[name] else { continue }
            let original = object.member(name)
            let isWhole = nesting == .replaced || value.hasElements
            let whole =
                isWhole ? original.map { value.joined(with: $0, since: former?[name]) } : nil
            completed.put(whole ?? value, for: name)
        }
        return completed
    }

    /// The members as the elements of an array, if their names are the indexes from 0; nil
    /// otherwise.
    var elements: [ExportTree]? {
        guard let indexes, indexes == Array(indexes.indices) else { return nil }
        return indexes.map { self[String($0)] ?? .null }
    }

    /// The names as indexes of an array, sorted; nil if one is another name.
    fileprivate var indexes: [Int]? {
        guard origin == nil else { return nil }
        let indexes = names.compactMap { Int($0) }.filter { $0 >= 0 }
        return !names.isEmpty && indexes.count == names.count ? indexes.sorted() : nil
    }
}

extension ExportTree {
    /// The members of an object; nil for any other value.
    var members: Members? { if case .object(let members) = self { members } else { nil } }

    /// Whether it is a part of an object of the service, or a list of such parts.
    fileprivate var isPart: Bool {
        switch self {
        case .object(let members): members.isPart
        case .array(let elements): elements.contains { $0.isPart }
        case .value, .json, .removed: false
        }
    }

    /// Whether it is a list of parts, or a part of an object with such a list, or with key paths to
    /// elements of an array.
    fileprivate var hasElements: Bool {
        switch self {
        case .array: isPart
        case .object(let members):
            members.isPart
                && (members.indexes != nil
                    || members.names.contains { members[$0]?.hasElements ?? false })
        case .value, .json, .removed: false
        }
    }

    /// Returns whether two values are written in the same way.
    fileprivate func hasSameText(as other: ExportTree) -> Bool { text == other.text }

    private var text: [UInt8] {
        var writer = JSONWriter()
        write(into: &writer)
        return writer.bytes
    }

    /// Returns a value of the service with the changes of this one; this one if it is not a part.
    fileprivate func joined(with original: JSONNode, since former: ExportTree?) -> ExportTree {
        switch (self, original.kind) {
        case (.object(let members), .object) where members.isPart:
            return .object(Members(original, overlaidBy: members, since: former?.members))
        case (.object(let members), .array) where members.isPart:
            return members.joined(with: Array(original.elements), since: former?.members) ?? self
        case (.array(let elements), .array) where isPart:
            var matching = ElementMatching(of: Array(original.elements))
            return .array(matching.overlaid(by: elements, since: former))
        case (.value, _), (.json, _), (.removed, _), (.object, _), (.array, _): return self
        }
    }
}

extension ExportTree.Members {
    /// Returns an array of the service with the elements to which key paths lead; nil if these do
    /// not lead to its elements.
    fileprivate func joined(with originals: [JSONNode], since former: Self?) -> ExportTree? {
        guard let indexes else { return nil }
        var elements = originals.map { ExportTree($0) }
        for index in indexes {
            let name = String(index)
            guard let value = self[name] else { continue }
            // What is between the last element and this one is not known.
            guard index <= elements.count else { return nil }
            if index == elements.count {
                elements.append(value)
            } else {
                elements[index] = value.joined(with: originals[index], since: former?[name])
            }
        }
        return .array(elements)
    }
}
