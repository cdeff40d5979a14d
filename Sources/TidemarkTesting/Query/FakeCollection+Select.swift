extension FakeCollection {
    /// Returns one page of the objects that match a query.
    ///
    /// The objects in each order are cached until the collection changes. A page after a cursor is
    /// found by binary search in the order, a page at an offset in a cached list of matches.
    /// Otherwise each page of a large collection would sort or filter all of its objects again.
    mutating func select(_ query: FakeQuery) -> FakeSelection {
        let key = FakeFindings.Order(order: query.order, includesGone: query.includesGone)
        let order = ordered(key)
        guard query.filter != .all else { return part(of: order, query) }
        if query.counts || query.offset > 0 {
            return part(of: matches(query.filter, key), query)
        }
        var places: [Int] = []
        for place in order[range(of: query, in: order)] {
            found.looks += 1
            guard isMatch(place, query.filter) else { continue }
            if places.count >= max(0, query.limit) {
                return FakeSelection(places: places, total: places.count, hasMore: true)
            }
            places.append(place)
        }
        return FakeSelection(places: places, total: places.count, hasMore: false)
    }

    /// Returns the names of all members that any object has.
    mutating func memberNames() -> Set<String> {
        if let known = found.members { return known }
        var names: Set<String> = []
        for case let record? in slots where !record.isGone {
            guard case .object(let members) = record.object else { continue }
            for member in members { names.insert(member.name) }
        }
        found.members = names
        return names
    }

    private func part(of places: [Int], _ query: FakeQuery) -> FakeSelection {
        let start = min(max(0, query.offset), places.count)
        let end = start + min(max(0, query.limit), places.count - start)
        return FakeSelection(
            places: Array(places[start..<end]),
            total: places.count,
            hasMore: end < places.count
        )
    }

    private func isMatch(_ place: Int, _ filter: FakeFilter) -> Bool {
        slots[place].map(filter.matches) ?? false
    }

    private mutating func matches(_ filter: FakeFilter, _ key: FakeFindings.Order) -> [Int] {
        let question = FakeFindings.Matches(filter: filter, order: key)
        if let known = found.matches[question] { return known }
        let order = ordered(key)
        let query = FakeQuery(filter: filter, order: key.order)
        let range = range(of: query, in: order)
        found.looks += range.count
        let matches = order[range].filter { isMatch($0, filter) }
        // The cache is bounded, since a test may issue many different queries.
        if found.matches.count >= 8 { found.matches = [:] }
        found.matches[question] = matches
        return matches
    }

    // MARK: Order

    private mutating func ordered(_ key: FakeFindings.Order) -> [Int] {
        if let known = found.orders[key] { return known }
        let places = slots.indices.filter { place in
            slots[place].map { key.includesGone || !$0.isGone } ?? false
        }
        let order = key.order.isEmpty ? places : sorted(places, by: key.order)
        if found.orders.count >= 8 { found.orders = [:] }
        found.orders[key] = order
        return order
    }

    private func sorted(_ places: [Int], by order: [FakeQuery.Order]) -> [Int] {
        let values = places.map { place in order.map { value(of: $0.field, at: place) } }
        let sorted = places.indices.sorted { one, other in
            for (index, part) in order.enumerated() {
                let (first, second) = (values[one][index], values[other][index])
                if first != second { return (first < second) != part.isDescending }
            }
            // Sorting must be deterministic: Swift's sort is not guaranteed to be stable.
            return one < other
        }
        return sorted.map { places[$0] }
    }

    private func value(of field: FakeField, at place: Int) -> FakeValue {
        slots[place].map(field.value) ?? .null
    }

    /// Returns the range of an order that contains all objects that a filter can match.
    private func range(of query: FakeQuery, in order: [Int]) -> Range<Int> {
        let start = start(of: query.filter, query.order[...], in: order, within: order.indices)
        guard let first = query.order.first, let last = query.filter.last(in: first) else {
            return start..<order.count
        }
        let end = order.firstIndex(within: start..<order.count) { place in
            first.precedes(last, value(of: first.field, at: place))
        }
        return start..<end
    }

    /// Returns the first index that a filter can match in a range in which all preceding fields are
    /// equal.
    private func start(
        of filter: FakeFilter,
        _ fields: ArraySlice<FakeQuery.Order>,
        in order: [Int],
        within range: Range<Int>
    ) -> Int {
        guard let part = fields.first, let bound = filter.first(in: part) else {
            return range.lowerBound
        }
        let start = order.firstIndex(within: range) { place in
            !part.precedes(value(of: part.field, at: place), bound)
        }
        let end = order.firstIndex(within: start..<range.upperBound) { place in
            part.precedes(bound, value(of: part.field, at: place))
        }
        let rest = filter.assuming(bound, in: part.field)
        guard rest != .never else { return end }
        return self.start(of: rest, fields.dropFirst(), in: order, within: start..<end)
    }
}

extension FakeQuery.Order {
    fileprivate func precedes(_ one: FakeValue, _ other: FakeValue) -> Bool {
        isDescending ? other < one : one < other
    }
}

extension FakeFilter {
    /// Returns the lower bound of a field of the order for matching objects, in the direction of
    /// the order.
    fileprivate func first(in part: FakeQuery.Order) -> FakeValue? {
        part.isDescending ? greatest(part.field) : least(part.field)
    }

    /// Returns the upper bound of a field of the order for matching objects, in the direction of
    /// the order.
    fileprivate func last(in part: FakeQuery.Order) -> FakeValue? {
        part.isDescending ? least(part.field) : greatest(part.field)
    }
}

extension [Int] {
    /// Returns the first index from which on a condition holds, by binary search.
    fileprivate func firstIndex(within range: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
