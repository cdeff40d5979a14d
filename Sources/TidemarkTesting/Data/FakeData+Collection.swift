extension FakeData {
    /// A named list of objects.
    ///
    /// Objects are found by key in constant time. The keys that were changed are recorded, so that
    /// the service compares only these objects, which matters for large collections.
    package struct Collection: Hashable, Sendable {
        /// The name, which is the path of the collection.
        package var name: String

        let keys: [String]

        /// The objects in order.
        ///
        /// Removed objects leave nil, so that indices stay valid.
        private(set) var slots: [Slot?]

        /// The keys that changed since the revision, in order; nil if any object may have changed.
        private(set) var changedKeys: [String]?

        /// The revision since which changed keys are recorded.
        private(set) var revision: FakeRevision?

        private var positions: [String: Int]

        /// The changed keys that were removed.
        ///
        /// An object that is added again moves to the end.
        private var removed: Set<String> = []

        struct Slot: Sendable {
            /// The key; nil if the object has none, or has the key of an earlier object.
            var key: String?
            var object: FakeJSON
        }

        init(name: String, objects: [FakeJSON], keys: [String]) {
            self.name = name
            self.keys = keys
            (slots, positions) = Self.indexed(objects, by: keys)
        }

        /// The objects, in the order in which the service lists them.
        package var objects: [FakeJSON] {
            get { slots.compactMap { $0?.object } }
            set {
                (slots, positions) = Self.indexed(newValue, by: keys)
                changedKeys = nil
            }
        }

        subscript(key: String) -> FakeJSON? {
            positions[key].flatMap { slots[$0]?.object }
        }

        /// Discards the recorded changes after they have been applied.
        mutating func finishUpdate(_ revision: FakeRevision) {
            self.revision = revision
            changedKeys = []
            removed = []
        }

        /// Returns whether two collections have the same name and the same objects in the same
        /// order.
        package static func == (one: Self, other: Self) -> Bool {
            one.name == other.name && one.objects == other.objects
        }

        /// Hashes the name and the objects.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(objects)
        }

        private static func indexed(
            _ objects: [FakeJSON],
            by keys: [String]
        ) -> ([Slot?], [String: Int]) {
            var positions: [String: Int] = [:]
            positions.reserveCapacity(objects.count)
            let slots = objects.enumerated().map { index, object -> Slot? in
                guard let key = object.identity(in: keys), positions[key] == nil else {
                    return Slot(key: nil, object: object)
                }
                positions[key] = index
                return Slot(key: key, object: object)
            }
            return (slots, positions)
        }
    }
}

extension FakeData.Collection {
    mutating func put(_ object: FakeJSON, at path: String) {
        let object = object.keyed(path, in: keys)
        let identity = object.identity(in: keys) ?? path
        let index = positions.removeValue(forKey: path) ?? slots.count
        // If another object has this key already, this one cannot be found by key.
        let isDuplicate = positions[identity] != nil
        if !isDuplicate { positions[identity] = index }
        let slot = Slot(key: isDuplicate ? nil : identity, object: object)
        if index < slots.count { slots[index] = slot } else { slots.append(slot) }
        // If the position of an object changes too, only a comparison of all objects shows it.
        recordChange(identity == path && !removed.contains(path) ? path : nil)
    }

    mutating func remove(_ key: String) -> FakeJSON? {
        guard let index = positions.removeValue(forKey: key) else { return nil }
        defer { slots[index] = nil }
        removed.insert(key)
        recordChange(key)
        return slots[index]?.object
    }

    mutating func removeLinks(to url: String) {
        for index in slots.indices {
            guard let object = slots[index]?.object.withoutLinks(to: url) else { continue }
            slots[index]?.object = object
            recordChange(slots[index]?.key)
        }
    }

    /// Records that an object may have changed.
    ///
    /// Nil means any object.
    private mutating func recordChange(_ key: String?) {
        if let key { changedKeys?.append(key) } else { changedKeys = nil }
    }
}

/// The identity of a state of the data, from which changes are recorded.
///
/// It is compared with `===`.
final class FakeRevision: Sendable {}
