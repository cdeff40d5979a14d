extension FakeData {
    /// A list of objects under a name.
    ///
    /// It finds objects by key without looking at all, and remembers which were touched: a service
    /// that has many compares only those.
    public struct Collection: Hashable, Sendable {
        /// The name, which is the path.
        public var name: String

        let keys: [String]

        /// The objects in order, with gaps where some were removed.
        private(set) var slots: [Slot?]

        /// Which keys were touched since the mark, in order; nil when any may have been.
        private(set) var touched: [String]?

        /// What the touched keys are compared with.
        private(set) var mark: FakeMark?

        private var places: [String: Int]

        /// Which of the touched keys were removed: who comes back stands at the end.
        private var removed: Set<String> = []

        struct Slot: Sendable {
            /// The key; nil where the object has none, or that of an earlier one.
            var key: String?
            var object: FakeJSON
        }

        init(name: String, objects: [FakeJSON], keys: [String]) {
            self.name = name
            self.keys = keys
            (slots, places) = Self.indexed(objects, keys)
        }

        /// The objects, in the order in which the service lists them.
        public var objects: [FakeJSON] {
            get { slots.compactMap { $0?.object } }
            set {
                (slots, places) = Self.indexed(newValue, keys)
                touched = nil
            }
        }

        subscript(key: String) -> FakeJSON? {
            places[key].flatMap { slots[$0]?.object }
        }

        /// Forgets what was touched: somebody has seen it.
        mutating func settle(_ mark: FakeMark) {
            self.mark = mark
            touched = []
            removed = []
        }

        /// Whether two collections have the same name and the same objects in the same order.
        public static func == (one: Self, other: Self) -> Bool {
            one.name == other.name && one.objects == other.objects
        }

        /// Hashes the name and the objects.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(objects)
        }

        private static func indexed(
            _ objects: [FakeJSON],
            _ keys: [String]
        ) -> ([Slot?], [String: Int]) {
            var places: [String: Int] = [:]
            places.reserveCapacity(objects.count)
            let slots = objects.enumerated().map { place, object -> Slot? in
                guard let key = object.identity(in: keys), places[key] == nil else {
                    return Slot(key: nil, object: object)
                }
                places[key] = place
                return Slot(key: key, object: object)
            }
            return (slots, places)
        }
    }
}

extension FakeData.Collection {
    mutating func put(_ object: FakeJSON, at path: String) {
        let object = object.keyed(path, in: keys)
        let identity = object.identity(in: keys) ?? path
        let place = places.removeValue(forKey: path) ?? slots.count
        // Another object may have that key already: then this one cannot be found by it.
        let isTaken = places[identity] != nil
        if !isTaken { places[identity] = place }
        let slot = Slot(key: isTaken ? nil : identity, object: object)
        if place < slots.count { slots[place] = slot } else { slots.append(slot) }
        // What only a look at all can tell: who stands in whose place.
        touch(identity == path && !removed.contains(path) ? path : nil)
    }

    mutating func remove(_ key: String) -> FakeJSON? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        defer { slots[place] = nil }
        removed.insert(key)
        touch(key)
        return slots[place]?.object
    }

    mutating func removeLinks(to url: String) {
        for place in slots.indices {
            guard let object = slots[place]?.object.withoutLinks(to: url) else { continue }
            slots[place]?.object = object
            touch(slots[place]?.key)
        }
    }

    /// Notes that an object may have changed; one without a key may be any.
    private mutating func touch(_ key: String?) {
        if let key { touched?.append(key) } else { touched = nil }
    }
}

/// What a set of changes begins with.
final class FakeMark: Sendable {}
