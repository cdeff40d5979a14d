/// Renders objects for a dialect, and composes pages from cached JSON.
package struct FakeRendering {
    /// A member of a page.
    package enum Part {
        case json(FakeJSON)
        /// An array of elements that are JSON text already.
        case list([[UInt8]])
    }

    let request: FakeDialect.Request
    package let object: (FakeRecord) -> FakeJSON

    /// Creates a renderer for the response to a request.
    package init(request: FakeDialect.Request, object: @escaping (FakeRecord) -> FakeJSON) {
        self.request = request
        self.object = object
    }

    /// Returns the JSON of the objects at some indices of a collection.
    ///
    /// The JSON of each object is cached until the object changes.
    package func bytes(_ indices: [Int], of collection: inout FakeCollection) -> [[UInt8]] {
        // Objects may contain URLs below the base URL, so the cache is valid for one base URL only.
        if collection.cache.base != request.base {
            collection.discardBytes()
            collection.cache.base = request.base
        }
        return indices.compactMap { index in
            guard let record = collection.slots[index] else { return nil }
            if let bytes = record.bytes { return bytes }
            let bytes = self.bytes(record)
            collection.keep(bytes, at: index)
            return bytes
        }
    }

    /// Returns the JSON of objects in a representation that is not cached.
    package func renderedBytes(_ indices: [Int], of collection: FakeCollection) -> [[UInt8]] {
        indices.compactMap { collection.slots[$0].map(bytes) }
    }

    package func bytes(_ record: FakeRecord) -> [UInt8] {
        request.served(object(record)).bytes
    }

    /// Returns a JSON object with the given members.
    package static func object(_ parts: [(name: String, part: Part)]) -> [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += FakeJSON.string(part.name).bytes
            bytes.append(UInt8(ascii: ":"))
            switch part.part {
            case .json(let json): bytes += json.bytes
            case .list(let items): append(items, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns a JSON array of elements that are JSON text already.
    package static func array(_ items: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(items, to: &bytes)
        return bytes
    }

    private static func append(_ items: [[UInt8]], to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + items.reduce(2) { $0 + $1.count + 1 })
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension FakeJSON {
    /// Returns the object with only the given members.
    package func only(_ names: Set<String>) -> FakeJSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.name) })
    }
}

extension FakeFilter {
    /// Returns the conjunction of two filters.
    package static func && (one: FakeFilter, other: FakeFilter) -> FakeFilter {
        if one == .all { return other }
        return other == .all ? one : .and([one, other])
    }
}
