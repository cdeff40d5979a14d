/// What a fake service holds: collections of objects, in order.
public struct FakeData: Hashable, Sendable {
    /// A list of objects under a name.
    public struct Collection: Hashable, Sendable {
        /// The name, which is the path.
        public var name: String

        /// The objects, in the order in which the service lists them.
        public var objects: [FakeJSON]
    }

    /// The collections, in the order in which the service names them.
    public var collections: [Collection]

    /// Creates data.
    public init(_ collections: [(name: String, objects: [FakeJSON])] = []) {
        self.collections = collections.map { Collection(name: $0.name, objects: $0.objects) }
    }

    /// The objects of a collection; nil where there is no such collection.
    public subscript(objects name: String) -> [FakeJSON]? {
        collections.first { $0.name == name }?.objects
    }

    /// The object at a path such as `films/1`; nil where there is none.
    ///
    /// Setting replaces the object in its place or adds it at the end of its collection, which is
    /// made where there is none; nil removes it, and every link to it, as a database would.
    public subscript(path: String) -> FakeJSON? {
        get {
            place(of: path).map { collections[$0.collection].objects[$0.object] }
        }
        set {
            switch (place(of: path), newValue) {
            case (let place?, let object?):
                collections[place.collection].objects[place.object] = object
            case (let place?, nil): remove(place)
            case (nil, let object?): append(object, to: String(path.prefix { $0 != "/" }))
            case (nil, nil): break
            }
        }
    }

    private func place(of path: String) -> (collection: Int, object: Int)? {
        let parts = path.split(separator: "/")
        guard parts.count == 2,
            let collection = collections.firstIndex(where: { $0.name == parts[0] }),
            let object = collections[collection].objects.firstIndex(where: {
                $0.identity == String(parts[1])
            })
        else { return nil }
        return (collection, object)
    }

    private mutating func append(_ object: FakeJSON, to name: String) {
        if let place = collections.firstIndex(where: { $0.name == name }) {
            collections[place].objects.append(object)
        } else {
            collections.append(Collection(name: name, objects: [object]))
        }
    }

    private mutating func remove(_ place: (collection: Int, object: Int)) {
        let removed = collections[place.collection].objects.remove(at: place.object)
        guard let url = removed["url"]?.string else { return }
        for index in collections.indices {
            collections[index].objects = collections[index].objects.map { $0.withoutLinks(to: url) }
        }
    }
}

extension FakeJSON {
    /// What an object is known by in its collection: the end of its `url`, else its `id`.
    public var identity: String? {
        if let url = self["url"]?.string { return url.split(separator: "/").last.map(String.init) }
        return switch self["id"] {
        case .string(let text)?, .number(let text)?: text
        case .null?, .bool?, .array?, .object?, nil: nil
        }
    }

    fileprivate func withoutLinks(to url: String) -> FakeJSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                switch member.value {
                case .string(url): Member(member.name, .null)
                case .array(let elements) where elements.contains(.string(url)):
                    Member(member.name, .array(elements.filter { $0 != .string(url) }))
                case .null, .bool, .number, .string, .array, .object: member
                }
            }
        )
    }
}
