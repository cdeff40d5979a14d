import TidemarkModel

/// The member that identifies the objects of an entity.
struct KeyChoice: Sendable {
    /// The name of the member; for a self link, its key path.
    let name: String

    /// The path of the member.
    var path: [String] { Self.path(of: name, rank: rank) }

    /// The type of its values.
    let type: AttributeType

    /// How likely its name is that of a key.
    let rank: KeyName

    /// Whether the member is a URL of which only the number at the end is the key.
    let isNumberInAddress: Bool

    /// Whether some objects lack the member.
    let isIncomplete: Bool

    /// Whether the member is the key only because its values differed in the samples.
    ///
    /// The number at the end of a URL is one, too: later URLs may be those of another collection.
    var isGuess: Bool { rank > .selfLink || isNumberInAddress }

    static func path(of name: String, rank: KeyName) -> [String] {
        // The names of a self link's path contain no dots.
        rank == .selfLink ? name.split(separator: ".").map(String.init) : [name]
    }
}

extension ObjectShape {
    /// How the objects are contained in the samples.
    ///
    /// This decides which members may be their key.
    enum Standing {
        /// Items of a sample. Without a key they cannot be imported.
        case sample
        /// Elements of an array in another object.
        case element
        /// The value of a member of another object.
        case member
    }

    /// Returns the member that identifies the objects; nil if no member does.
    ///
    /// For nested objects, a member that has the same value in different objects is not a key,
    /// whatever its name: one object would overwrite the other.
    func key(_ standing: Standing) -> KeyChoice? {
        key(standing) { sketch, count in
            sketch.rank.isCertain
                ? standing == .sample || !sketch.isContradicted : sketch.isProof(for: count)
        }
    }

    /// The member that identifies the elements of an array within that array only: another array
    /// has a different element with the same value.
    ///
    /// Nil if no member does.
    var keyWithinList: KeyChoice? {
        key(.element) { sketch, _ in sketch.rank.isCertain && sketch.isUniqueWithinLists }
    }

    /// Returns the member that may identify the objects, but has too many values to prove it.
    func unprovenKey(_ standing: Standing) -> KeyChoice? {
        key(standing) { sketch, _ in !sketch.rank.isCertain && sketch.isFull }
    }

    private func key(
        _ standing: Standing,
        where isConclusive: (KeySketch, _ count: Int) -> Bool
    ) -> KeyChoice? {
        guard !isOverfull, !isLink, !hasLinks else { return nil }
        for (name, rank) in keyNames {
            let path = KeyChoice.path(of: name, rank: rank)
            guard let shape = shape(at: path[...]), let sketch = keys[name],
                isConclusive(sketch, shape.scalars.count)
            else { continue }
            if let choice = choice(name, rank: rank, of: shape, as: standing) { return choice }
        }
        return nil
    }

    private func choice(
        _ name: String,
        rank: KeyName,
        of shape: Shape,
        as standing: Standing
    ) -> KeyChoice? {
        let values = shape.scalars
        guard shape.objects == 0, shape.lists == 0 else { return nil }
        let isComplete = values.count == count
        // A sampled list may contain objects without the key. They are reported in a note.
        let isMostly = standing == .sample && rank.isCertain && values.count * 2 > count
        guard isComplete || isMostly, let type = keyType(of: values, rank: rank) else { return nil }
        switch (rank, standing) {
        // The URL in a nested object may be that of a related object.
        case (.address, .element), (.address, .member):
            guard leadsToItself(values.texts) else { return nil }
        case (.word, .member), (.lastResort, .element), (.lastResort, .member): return nil
        default: break
        }
        return KeyChoice(
            name: name,
            type: type,
            rank: rank,
            isNumberInAddress: rank.isAddress && type == .integer64,
            isIncomplete: !isComplete
        )
    }

    private func keyType(of values: ScalarStatistics, rank: KeyName) -> AttributeType? {
        if rank.isAddress {
            guard values.count == values.texts.count, values.count > 0 else { return nil }
            let texts = values.texts
            if texts.numberedPaths == texts.count, texts.collections.count == 1 {
                return .integer64
            }
            if texts.addresses == texts.count { return .uri }
            // A relative URL.
            let isText = rank == .selfLink || texts.paths == texts.count
            return isText && values.convert(toKey: .string) ? .string : nil
        }
        if values.numbers.wholes == values.count { return .integer64 }
        if values.texts.uuids == values.count { return .uuid }
        return values.convert(toKey: .string) ? .string : nil
    }

    /// Returns whether the URLs are those of the objects themselves, judging by the name of their
    /// collection.
    private func leadsToItself(_ texts: TextStatistics) -> Bool {
        guard texts.collections.count == 1, let path = texts.collections.first,
            let last = path.split(separator: "/").last
        else { return false }
        let inflection = NamingConvention.default.inflection
        return inflection.singular(last.lowercased()) == name.lowercased()
    }
}
