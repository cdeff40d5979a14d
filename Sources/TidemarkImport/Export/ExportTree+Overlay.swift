import TidemarkJSON

/// Members that are laid over those of an object of the service.
extension ExportTree.Members {
    /// Creates the members of an object of the service, replaced by those of another one.
    ///
    /// Objects that both have are joined, if the other one is a part.
    init(_ object: JSONNode, overlaidBy other: Self) {
        self.init()
        isPart = other.isPart
        for (name, value) in object.members {
            let name = name.string
            guard let change = other[name] else {
                put(ExportTree(value), for: name)
                continue
            }
            // Other values follow those of the service.
            if case .object(let inner) = change, inner.isPart {
                put(change.joined(with: value), for: name)
            }
        }
        for name in other.names where self[name] == nil {
            guard let value = other[name] else { continue }
            if case .removed = value { continue }
            put(value, for: name)
        }
    }

    /// Returns these members, of which those that are parts are completed from an object of the
    /// service.
    func completed(from object: JSONNode, _ nesting: MemberNesting) -> Self {
        var completed = Self()
        completed.isPart = isPart
        for name in names {
            guard let value = self[name] else { continue }
            let original = object.member(name)
            let isWhole = nesting == .replaced || value.hasElements
            let whole = isWhole ? original.map { value.joined(with: $0) } : nil
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
        let indexes = names.compactMap { Int($0) }.filter { $0 >= 0 }
        return !names.isEmpty && indexes.count == names.count ? indexes.sorted() : nil
    }
}

extension ExportTree {
    /// Whether it is a part of an object in which key paths lead to elements of an array.
    fileprivate var hasElements: Bool {
        guard case .object(let members) = self, members.isPart else { return false }
        return members.indexes != nil
            || members.names.contains { members[$0]?.hasElements ?? false }
    }

    /// Returns a value of the service with the changes of this one; this one if it is not a part.
    fileprivate func joined(with original: JSONNode) -> ExportTree {
        guard case .object(let members) = self, members.isPart else { return self }
        switch original.kind {
        case .object: return .object(Members(original, overlaidBy: members))
        case .array:
            guard let indexes = members.indexes else { return self }
            let originals = Array(original.elements)
            var elements = originals.map { ExportTree($0) }
            for index in indexes {
                guard let value = members[String(index)] else { continue }
                // What is between the last element and this one is not known.
                guard index <= elements.count else { return self }
                if index == elements.count {
                    elements.append(value)
                } else {
                    elements[index] = value.joined(with: originals[index])
                }
            }
            return .array(elements)
        case .null, .string, .number, .true, .false: return self
        }
    }
}
