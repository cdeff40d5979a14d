/// Bytes that a fuzzer chose, taken one decision after the other; zero when there are no more.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether all bytes have been taken.
    var isEmpty: Bool { rest.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// A number from zero up to, but not including, a small bound.
    mutating func number(below bound: Int) -> Int {
        Int(byte()) % bound
    }

    /// A whole number of eight bytes.
    mutating func integer() -> Int64 {
        Int64(bitPattern: (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) })
    }

    /// One of a list, which must not be empty.
    mutating func pick<T>(_ list: [T]) -> T {
        list[number(below: list.count)]
    }

    /// All bytes that have not been taken.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// The bytes up to a line feed, which is dropped.
    mutating func line() -> [UInt8] {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest[line.endIndex...].dropFirst()
        return Array(line)
    }
}
