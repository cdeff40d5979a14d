/// A source of random choices that are reproducible from a seed.
package struct Chance {
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Creates choices that depend only on a seed and on their purpose.
    ///
    /// They stay the same while a sample is shrunk, even if choices for other purposes are no
    /// longer made.
    package init(seed: UInt64, for thing: String) {
        var hash = seed ^ 0xcbf2_9ce4_8422_2325
        for byte in thing.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        generator = SeededGenerator(seed: hash)
    }

    /// Returns a random number in a range.
    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// Returns true with a probability in percent.
    package mutating func happens(_ percent: Int) -> Bool {
        number(1...100) <= percent
    }

    /// Returns a random element of an array, which must not be empty.
    package mutating func pick<Thing>(_ things: [Thing]) -> Thing {
        things[number(0...things.count - 1)]
    }

    /// Returns the elements in random order.
    package mutating func shuffled<Thing>(_ things: [Thing]) -> [Thing] {
        things.shuffled(using: &generator)
    }
}
