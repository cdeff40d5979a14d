/// Random choices that a seed repeats.
package struct Chance {
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Choices that depend on a seed and on what they are for alone: they stay the same when
    /// others, for other things, are not made.
    package init(seed: UInt64, for thing: String) {
        var hash = seed ^ 0xcbf2_9ce4_8422_2325
        for byte in thing.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        generator = SeededGenerator(seed: hash)
    }

    /// A number of a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// Whether something happens that happens so many times out of a hundred.
    package mutating func happens(_ percent: Int) -> Bool {
        number(1...100) <= percent
    }

    /// One of several things.
    package mutating func pick<Thing>(_ things: [Thing]) -> Thing {
        things[number(0...things.count - 1)]
    }

    /// The things in any order.
    package mutating func shuffled<Thing>(_ things: [Thing]) -> [Thing] {
        things.shuffled(using: &generator)
    }
}
