/// The data of a fake service: collections of objects, in order.
///
/// The name of a collection below a parent is its path, such as `posts/7/comments`. A service with
/// the dialect REST or Rails returns 404 for it once the parent is deleted.
///
/// ```swift
/// fake.change { data in
///     data["films/1"]?["title"] = "Star Wars"
///     data["films/2"] = nil
///     data.collections[0].objects.reverse()
/// }
/// ```
public struct FakeData: Hashable, Sendable {
    /// The collections, in the order in which the service lists them.
    public var collections: [Collection]

    /// The members that identify an object, in order of precedence.
    let keys: [String]

    /// Creates data from collections.
    ///
    /// Objects are identified by `url`, or by `id` if they have no `url`.
    public init(_ collections: [(name: String, objects: [FakeJSON])] = []) {
        self.collections = collections.map {
            Collection(name: $0.name, objects: $0.objects, keys: FakeJSON.keys)
        }
        keys = FakeJSON.keys
    }

    /// Creates a copy whose objects are identified by other members.
    init(_ data: FakeData, keys: [String]) {
        collections = data.collections.map {
            $0.keys == keys ? $0 : Collection(name: $0.name, objects: $0.objects, keys: keys)
        }
        self.keys = keys
    }

    /// The objects of a collection; nil if the collection does not exist.
    public subscript(objects name: String) -> [FakeJSON]? {
        collections.first { $0.name == name }?.objects
    }

    /// The object at a path such as `films/1`; nil if it does not exist.
    ///
    /// Setting an object replaces it in place or appends it to its collection, which is created if
    /// necessary. An object without a key gets the key in the path. Setting nil removes the object
    /// and every link to its `url`, as a database with foreign keys would.
    public subscript(path: String) -> FakeJSON? {
        get {
            guard let (name, key) = Self.parts(of: path) else { return nil }
            return collections.first { $0.name == name }?[key]
        }
        set {
            guard let (name, key) = Self.parts(of: path) else { return }
            if let object = newValue {
                collections[index(of: name)].put(object, at: key)
            } else if let index = collections.firstIndex(where: { $0.name == name }),
                let url = collections[index].remove(key)?["url"]?.string
            {
                for index in collections.indices { collections[index].removeLinks(to: url) }
            }
        }
    }

    /// Splits a path at its last slash: a collection below a parent has a name such as
    /// `posts/7/comments`.
    private static func parts(of path: String) -> (name: String, key: String)? {
        let path = path.hasSuffix("/") ? path.dropLast() : path[...]
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        let key = path[path.index(after: slash)...]
        return key.isEmpty ? nil : (String(path[..<slash]), String(key))
    }

    private mutating func index(of name: String) -> Int {
        if let index = collections.firstIndex(where: { $0.name == name }) { return index }
        collections.append(Collection(name: name, objects: [], keys: keys))
        return collections.count - 1
    }
}

extension FakeJSON {
    /// The members that identify an object by default.
    static let keys = ["url", "id"]

    /// The identity of the object in its collection: the last path component of `url`, otherwise
    /// `id`.
    ///
    /// Nil if it has neither.
    public var identity: String? { identity(in: Self.keys) }

    package func identity(in keys: [String]) -> String? {
        guard case .object(let members) = self else { return nil }
        for key in keys {
            switch members.first(where: { $0.name == key })?.value {
            case .string(let text)? where key == "url":
                return text.split(separator: "/").last.map(String.init)
            case .string(let text)?, .number(let text)?: return text
            case .null?, .bool?, .array?, .object?, nil: continue
            }
        }
        return nil
    }

    /// Returns the object with a key if it has none.
    ///
    /// A key that looks like an integer becomes a number.
    func keyed(_ key: String, in keys: [String]) -> FakeJSON {
        guard case .object(let members) = self, identity(in: keys) == nil, let name = keys.last
        else { return self }
        let others = members.filter { $0.name != name }
        return .object([Member(name, Int(key).map { .number("\($0)") } ?? .string(key))] + others)
    }

    /// Returns the object without links to a URL; nil if it contains none.
    func withoutLinks(to url: String) -> FakeJSON? {
        guard case .object(var members) = self else { return nil }
        var hasChanged = false
        for index in members.indices {
            switch members[index].value {
            case .string(url): members[index].value = .null
            case .array(let elements) where elements.contains(.string(url)):
                members[index].value = .array(elements.filter { $0 != .string(url) })
            case .null, .bool, .number, .string, .array, .object: continue
            }
            hasChanged = true
        }
        return hasChanged ? .object(members) : nil
    }
}
