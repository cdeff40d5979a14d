/// Changes by clients.
extension FakeContents {
    /// Creates an object in a collection, which exists afterwards.
    ///
    /// - Parameters:
    ///   - members: The object as the client has sent it.
    ///   - name: The path of the collection.
    ///   - key: The key that the client has chosen; nil to make one.
    ///   - write: The rules, and the mark of the request.
    /// - Returns: The object.
    /// - Throws: ``FakeWriteFailure``.
    package mutating func create(
        _ members: FakeJSON,
        in name: String,
        key: String? = nil,
        _ write: FakeWrite
    ) throws(FakeWriteFailure) -> FakeRecord {
        if let key, let record = record(at: "\(name)/\(key)") { throw .exists(record.object) }
        try check(members, in: name, besides: nil, write.rules)
        let key = key ?? nextKey(in: name, write.rules.keys)
        let created = write.rules.habits.created(members.without(keys))
        let object = created.keyed(key, in: keys)
        return commit(.create, object, at: "\(name)/\(key)", write)
    }

    /// Changes an object.
    ///
    /// - Parameters:
    ///   - path: The path of the object.
    ///   - members: The new values of members, or of all of them.
    ///   - isWhole: Whether members that are missing lose their value.
    ///   - write: The rules, and the mark of the request.
    /// - Returns: The object.
    /// - Throws: ``FakeWriteFailure``.
    package mutating func update(
        _ path: String,
        with members: FakeJSON,
        isWhole: Bool,
        _ write: FakeWrite
    ) throws(FakeWriteFailure) -> FakeRecord {
        guard let record = record(at: path) else { throw .missing }
        // The key of an object does not change.
        let changes = members.without(keys)
        let identity = record.object.only(Set(keys))
        let merged = isWhole ? identity.merging(changes) : record.object.merging(changes)
        let object = write.rules.habits.updated(merged, from: record.object)
        let (name, _) = Self.parts(of: path)
        try check(object, in: name, besides: record.key, write.rules)
        guard object != record.object else { return record }
        let changed = commit(.update, object, at: path, write)
        return write.rules.habits.respondsWithFormer ? record : changed
    }

    /// Deletes an object.
    package mutating func delete(
        _ path: String,
        _ write: FakeWrite
    ) throws(FakeWriteFailure) -> FakeRecord {
        guard let record = record(at: path) else { throw .missing }
        commit(.delete, nil, at: path, write)
        return record
    }

    /// The object at a path; nil if it does not exist.
    package func record(at path: String) -> FakeRecord? {
        let (name, key) = Self.parts(of: path)
        guard let record = self[name]?[key], !record.isDeleted else { return nil }
        return record
    }

    private static func parts(of path: String) -> (name: String, key: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return (String(path[..<slash]), String(path[slash...].drop { $0 == "/" }))
    }

    @discardableResult
    private mutating func commit(
        _ kind: FakeEffect.Kind,
        _ object: FakeJSON?,
        at path: String,
        _ write: FakeWrite
    ) -> FakeRecord {
        change { $0[path] = object }
        if let list = write.rules.habits.linkList { settle(list, after: path) }
        let record = record(at: path)
        audit.append(
            FakeEffect(
                kind: kind,
                path: path,
                object: record?.object,
                idempotencyKey: write.idempotencyKey
            )
        )
        return record ?? FakeRecord(key: "", object: .null, created: now)
    }

    /// Removes what a changed list contains from the others, and what does not exist from all.
    private mutating func settle(_ list: FakeHabits.LinkList, after path: String) {
        let (name, key) = Self.parts(of: path)
        let existing = Set(living(in: list.members).map(\.key))
        var changed = record(at: path)?.object[list.name]?.elements ?? []
        if name != list.collection { changed = [] }
        for owner in living(in: list.collection) {
            let former = owner.object[list.name]?.elements ?? []
            let isChanged = name == list.collection && owner.key == key
            let kept = former.filter { member in
                existing.contains(member.string ?? "\(member)")
                    && (isChanged || !changed.contains(member))
            }
            guard owner.object[list.name] != .array(kept) else { continue }
            change { $0["\(list.collection)/\(owner.key)"]?[list.name] = .array(kept) }
        }
    }

    private func living(in name: String) -> [FakeRecord] {
        (self[name]?.records ?? []).filter { !$0.isDeleted }
    }

    // MARK: Rules

    private func check(
        _ object: FakeJSON,
        in name: String,
        besides key: String?,
        _ rules: FakeWrites
    ) throws(FakeWriteFailure) {
        guard case .object = object else { throw .malformed }
        var reasons: [String: FakeWriteFailure.Reason] = [:]
        for member in rules.required[name] ?? []
        where [nil, .null, .string("")].contains(object[member]) { reasons[member] = .missing }
        for member in rules.unique[name] ?? [] {
            guard let value = object[member], value != .null else { continue }
            let isTaken = (self[name]?.records ?? []).contains {
                $0.key != key && $0.object[member] == value
            }
            if isTaken { reasons[member] = .taken }
        }
        guard reasons.isEmpty else { throw .invalid(reasons) }
    }

    // MARK: Keys

    /// Returns a key that no object of the collection has or had.
    private mutating func nextKey(in name: String, _ keys: FakeWrites.Keys) -> String {
        switch keys {
        case .numbers:
            let records = (self[name]?.records ?? []) + (self[name]?.tombstones ?? [])
            let highest = records.compactMap { Int($0.key) }.max() ?? 0
            let next = max(highest, lastNumbers[name] ?? 0) + 1
            lastNumbers[name] = next
            return "\(next)"
        case .letters: return digits(10, of: Array("0123456789abcdefghijABCDEFGHIJ"))
        case .uuids:
            let hex = Array("0123456789abcdef")
            return [8, 4, 4, 4, 12].map { digits($0, of: hex) }.joined(separator: "-")
        }
    }

    /// Returns characters that look random, and are the same in each run of a test.
    private mutating func digits(_ count: Int, of alphabet: [Character]) -> String {
        String(
            (0..<count).map { _ in
                // The generator of Numerical Recipes.
                keySeed = keySeed &* 1_664_525 &+ 1_013_904_223
                return alphabet[Int(keySeed >> 16) % alphabet.count]
            }
        )
    }
}

extension FakeJSON {
    /// Returns the object without members of these names.
    package func without(_ names: [String]) -> FakeJSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.name) })
    }

    /// Returns the object with members added or replaced.
    package func merging(_ other: FakeJSON) -> FakeJSON {
        guard case .object(let members) = other else { return self }
        var merged = self
        for member in members { merged[member.name] = member.value }
        return merged
    }
}
