/// The input of a fuzzer, consumed as a sequence of decisions.
///
/// After the last byte, all bytes are 0.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// Whether all bytes have been consumed.
    var isEmpty: Bool { rest.isEmpty }

    /// Returns the next byte.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// Returns a number from 0 up to, but not including, a bound of at most 256.
    mutating func number(below bound: Int) -> Int {
        Int(byte()) % bound
    }

    /// Returns an integer from the next eight bytes.
    mutating func integer() -> Int64 {
        Int64(bitPattern: (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) })
    }

    /// Returns an element of a list, which must not be empty.
    mutating func pick<T>(_ list: [T]) -> T {
        list[number(below: list.count)]
    }

    /// Returns all remaining bytes.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// Returns the bytes up to the next line feed, and skips the line feed.
    mutating func line() -> [UInt8] {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest[line.endIndex...].dropFirst()
        return Array(line)
    }
}
