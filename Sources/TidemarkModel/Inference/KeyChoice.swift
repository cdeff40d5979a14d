/// The member that objects are known by.
struct KeyChoice: Sendable {
    /// The member's name.
    let name: String

    /// The type of its values.
    let type: AttributeType

    /// How it was recognised.
    let rank: KeyName

    /// Whether it is an address of which only the number at the end is kept.
    let isNumberInAddress: Bool

    /// Whether objects lack it.
    let isIncomplete: Bool
}

extension ObjectShape {
    /// How objects stand where they were found; it decides what may be their key.
    enum Standing {
        /// In a list that is a sample: without a key they could not be imported.
        case sample
        /// In a list of another object.
        case element
        /// Under a name of another object.
        case member
    }

    /// The member that the objects are known by; nil where there is none.
    ///
    /// Inside other objects, a member that has one value for different objects is no key, whatever
    /// its name: values would be lost.
    func key(_ standing: Standing) -> KeyChoice? {
        key(standing) { sketch, count in
            sketch.rank.isCertain
                ? standing == .sample || !sketch.isContradicted : sketch.isProof(for: count)
        }
    }

    /// The member that objects in lists of others are known by within their list, while another
    /// list has a different object under the same value.
    var keyWithinList: KeyChoice? {
        key(.element) { sketch, _ in sketch.rank.isCertain && sketch.isUniqueWithinLists }
    }

    /// The member that the objects may be known by, but has too many values to prove it.
    func unprovenKey(_ standing: Standing) -> KeyChoice? {
        key(standing) { sketch, _ in !sketch.rank.isCertain && sketch.isFull }
    }

    private func key(
        _ standing: Standing,
        _ isTelling: (KeySketch, _ count: Int) -> Bool
    ) -> KeyChoice? {
        guard !isOverfull else { return nil }
        for (name, rank) in keyNames {
            guard let shape = fields[name]?.shape, let sketch = keys[name],
                isTelling(sketch, shape.scalars.count)
            else { continue }
            if let choice = choice(name, rank, shape, standing) { return choice }
        }
        return nil
    }

    private func choice(
        _ name: String,
        _ rank: KeyName,
        _ shape: Shape,
        _ standing: Standing
    ) -> KeyChoice? {
        let values = shape.scalars
        guard shape.objects == 0, shape.lists == 0 else { return nil }
        let isComplete = values.count == count
        let isMostly = standing == .sample && rank.isCertain && values.count * 2 > count
        guard isComplete || isMostly, let type = keyType(values, rank) else { return nil }
        switch (rank, standing) {
        case (.address, .element), (.address, .member):
            guard leadsToItself(values.texts) else { return nil }
        case (.word, .member), (.lastResort, .element), (.lastResort, .member): return nil
        default: break
        }
        return KeyChoice(
            name: name,
            type: type,
            rank: rank,
            isNumberInAddress: rank == .address && type == .integer64,
            isIncomplete: !isComplete
        )
    }

    private func keyType(_ values: ScalarFacts, _ rank: KeyName) -> AttributeType? {
        if rank == .address {
            guard values.count == values.texts.count, values.count > 0 else { return nil }
            let texts = values.texts
            if texts.numberedPaths == texts.count, texts.collections.count == 1 {
                return .integer64
            }
            return texts.addresses == texts.count ? .uri : nil
        }
        if values.numbers.wholes == values.count { return .integer64 }
        if values.texts.uuids == values.count { return .uuid }
        return values.convert(toKey: .string) ? .string : nil
    }

    /// Whether the addresses are those of the objects, as far as their path tells.
    private func leadsToItself(_ texts: TextFacts) -> Bool {
        guard texts.collections.count == 1, let path = texts.collections.first,
            let last = path.split(separator: "/").last
        else { return false }
        let inflection = NamingConvention.default.inflection
        return inflection.singular(last.lowercased()) == name.lowercased()
    }
}
