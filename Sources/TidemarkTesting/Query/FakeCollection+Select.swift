extension FakeCollection {
    /// Returns one page of the objects that match a query.
    ///
    /// The objects in each order are cached until the collection changes. A page after a cursor is
    /// found by binary search in the order, a page at an offset in a cached list of matches.
    /// Otherwise each page of a large collection would sort or filter all of its objects again.
    package mutating func select(_ query: FakeQuery) -> FakeSelection {
        let key = FakeQueryCache.Order(order: query.order, includesDeleted: query.includesDeleted)
        let order = ordered(key)
        guard query.filter != .all else { return part(of: order, for: query) }
        if query.counts || query.offset > 0 {
            return part(of: matches(of: query.filter, in: key), for: query)
        }
        var indices: [Int] = []
        for index in order[range(of: query, in: order)] {
            cache.examined += 1
            guard isMatch(index, for: query.filter) else { continue }
            if indices.count >= max(0, query.limit) {
                return FakeSelection(indices: indices, total: indices.count, hasMore: true)
            }
            indices.append(index)
        }
        return FakeSelection(indices: indices, total: indices.count, hasMore: false)
    }

    /// Returns the names of all members that any object has.
    package mutating func memberNames() -> Set<String> {
        if let known = cache.members { return known }
        var names: Set<String> = []
        for case let record? in slots where !record.isDeleted {
            guard case .object(let members) = record.object else { continue }
            for member in members { names.insert(member.name) }
        }
        cache.members = names
        return names
    }

    private func part(of indices: [Int], for query: FakeQuery) -> FakeSelection {
        let start = min(max(0, query.offset), indices.count)
        let end = start + min(max(0, query.limit), indices.count - start)
        return FakeSelection(
            indices: Array(indices[start..<end]),
            total: indices.count,
            hasMore: end < indices.count
        )
    }

    private func isMatch(_ index: Int, for filter: FakeFilter) -> Bool {
        slots[index].map(filter.matches) ?? false
    }

    private mutating func matches(of filter: FakeFilter, in key: FakeQueryCache.Order) -> [Int] {
        let search = FakeQueryCache.Matches(filter: filter, order: key)
        if let known = cache.matches[search] { return known }
        let order = ordered(key)
        let query = FakeQuery(filter: filter, order: key.order)
        let range = range(of: query, in: order)
        cache.examined += range.count
        let matches = order[range].filter { isMatch($0, for: filter) }
        // The cache is bounded, since a test may issue many different queries.
        if cache.matches.count >= 8 { cache.matches = [:] }
        cache.matches[search] = matches
        return matches
    }

    // MARK: Order

    private mutating func ordered(_ key: FakeQueryCache.Order) -> [Int] {
        if let known = cache.orders[key] { return known }
        let indices = slots.indices.filter { index in
            slots[index].map { key.includesDeleted || !$0.isDeleted } ?? false
        }
        let order = key.order.isEmpty ? indices : sorted(indices, by: key.order)
        if cache.orders.count >= 8 { cache.orders = [:] }
        cache.orders[key] = order
        return order
    }

    private func sorted(_ indices: [Int], by order: [FakeQuery.Order]) -> [Int] {
        let values = indices.map { index in order.map { value(of: $0.field, at: index) } }
        let sorted = values.indices.sorted { one, other in
            for (index, part) in order.enumerated() {
                let (first, second) = (values[one][index], values[other][index])
                if first != second { return (first < second) != part.isDescending }
            }
            // Sorting must be deterministic: Swift's sort is not guaranteed to be stable.
            return one < other
        }
        return sorted.map { indices[$0] }
    }

    private func value(of field: FakeField, at index: Int) -> FakeValue {
        slots[index].map(field.value) ?? .null
    }

    /// Returns the range of an order that contains all objects that a filter can match.
    private func range(of query: FakeQuery, in order: [Int]) -> Range<Int> {
        let start = start(of: query.filter, by: query.order[...], in: order, within: order.indices)
        guard let first = query.order.first, let last = query.filter.last(in: first) else {
            return start..<order.count
        }
        let end = order.firstIndex(within: start..<order.count) { index in
            first.sorts(last, before: value(of: first.field, at: index))
        }
        return start..<end
    }

    /// Returns the first index that a filter can match in a range in which all preceding fields are
    /// equal.
    private func start(
        of filter: FakeFilter,
        by fields: ArraySlice<FakeQuery.Order>,
        in order: [Int],
        within range: Range<Int>
    ) -> Int {
        guard let part = fields.first, let bound = filter.first(in: part) else {
            return range.lowerBound
        }
        let start = order.firstIndex(within: range) { index in
            !part.sorts(value(of: part.field, at: index), before: bound)
        }
        let end = order.firstIndex(within: start..<range.upperBound) { index in
            part.sorts(bound, before: value(of: part.field, at: index))
        }
        let rest = filter.assuming(bound, in: part.field)
        guard rest != .never else { return end }
        return self.start(of: rest, by: fields.dropFirst(), in: order, within: start..<end)
    }
}

extension FakeQuery.Order {
    fileprivate func sorts(_ one: FakeValue, before other: FakeValue) -> Bool {
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
