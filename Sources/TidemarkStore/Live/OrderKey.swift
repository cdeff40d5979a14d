import TidemarkModel

/// The position of a row in the order of a request: bytes that compare as the terms of its
/// `ORDER BY` do, and the row number.
///
/// SQLite's order is that of <https://sqlite.org/datatype3.html#sort_order>: NULL, then numbers,
/// texts by their bytes, and blobs.
struct OrderKey: Hashable, Sendable {
    /// The first 24 bytes, which decide most comparisons, as numbers that compare as they do.
    let head: Head

    /// The other bytes.
    let tail: [UInt8]

    /// Decides between rows with equal terms.
    let row: Int64

    struct Head: Hashable, Sendable, Comparable {
        static let size = 24

        let first: UInt64
        let second: UInt64
        let third: UInt64

        fileprivate init(_ bytes: [UInt8]) {
            func number(_ start: Int) -> UInt64 {
                var number: UInt64 = 0
                for index in start..<start + 8 {
                    number = number << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
                }
                return number
            }
            (first, second, third) = (number(0), number(8), number(16))
        }

        static func < (left: Head, right: Head) -> Bool {
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            return left.third < right.third
        }
    }

    /// Joins the parts of a key, which ``LiveEntries`` stores apart.
    init(_ head: Head, tail: [UInt8], row: Int64) {
        (self.head, self.tail, self.row) = (head, tail, row)
    }

    fileprivate init(_ bytes: [UInt8], row: Int64) {
        // No key is the beginning of another one, so that zeros after the end decide nothing.
        let tail = bytes.count > Head.size ? Array(bytes[Head.size...]) : []
        self.init(Head(bytes), tail: tail, row: row)
    }
}

extension OrderKey: Comparable {
    static func < (left: OrderKey, right: OrderKey) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let order = left.tail.withUnsafeBytes { one in
            right.tail.withUnsafeBytes { other in one.compare(other) }
        }
        return order == 0 ? left.row < right.row : order < 0
    }
}

extension OrderKey {
    /// How the values of a term are compared.
    struct Term: Hashable, Sendable {
        var isDescending = false

        /// Whether texts are decimal numbers: see ``DecimalOrder``.
        var isDecimal = false
    }

    /// Puts the keys of rows together, one after the other.
    struct Builder {
        private var bytes: [UInt8] = []

        private enum Tag {
            static let null: UInt8 = 0
            static let number: UInt8 = 1
            static let text: UInt8 = 2
            static let blob: UInt8 = 3
        }

        /// Returns the key of a row with the values appended since the last one.
        mutating func key(row: Int64) -> OrderKey {
            defer { bytes.removeAll(keepingCapacity: true) }
            return OrderKey(bytes, row: row)
        }

        /// Appends the value of the next term.
        mutating func append(_ value: StoredValue, as term: Term) {
            let start = bytes.count
            switch value {
            case .null: bytes.append(Tag.null)
            case .integer(let number):
                bytes.append(Tag.number)
                append(number)
            case .real(let number):
                bytes.append(Tag.number)
                append(ordered: number)
                append(bigEndian: UInt16(0))
            case .text(let text):
                bytes.append(Tag.text)
                if term.isDecimal { append(decimal: text) } else { append(text) }
            case .blob(let blob):
                bytes.append(Tag.blob)
                append(blob)
            }
            if term.isDescending {
                for index in start..<bytes.count { bytes[index] = ~bytes[index] }
            }
        }

        // MARK: Numbers

        /// Appends an integer as the largest floating-point number that is not greater, and the
        /// distance from it: integers and floating-point numbers are compared with each other.
        private mutating func append(_ number: Int64) {
            var floor = Double(number)
            // The largest integers are rounded to 2⁶³, which does not fit into 64 bits.
            if floor >= 0x1p63 || Int64(floor) > number { floor = floor.nextDown }
            append(ordered: floor)
            append(bigEndian: UInt16(truncatingIfNeeded: number &- Int64(floor)))
        }

        private mutating func append(ordered number: Double) {
            // Zero has two representations.
            let bits = (number == 0 ? 0.0 : number).bitPattern
            append(bigEndian: bits >> 63 == 1 ? ~bits : bits | 1 << 63)
        }

        private mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }

        // MARK: Texts

        /// Appends bytes of any number, so that a text precedes those that begin with it.
        private mutating func append(_ content: UnsafeRawBufferPointer) {
            for byte in content {
                bytes.append(byte)
                if byte == 0 { bytes.append(0xFF) }
            }
            bytes.append(contentsOf: [0, 0])
        }

        /// Appends a decimal number: its sign, the number of its integer digits, and its digits.
        private mutating func append(decimal text: UnsafeRawBufferPointer) {
            let isNegative = text.first == UInt8(ascii: "-")
            let magnitude = UnsafeRawBufferPointer(rebasing: text.dropFirst(isNegative ? 1 : 0))
            let whole = magnitude.firstIndex(of: UInt8(ascii: ".")) ?? magnitude.count
            bytes.append(isNegative ? 0 : 1)
            let start = bytes.count
            append(bigEndian: UInt64(whole))
            append(magnitude)
            if isNegative {
                for index in start..<bytes.count { bytes[index] = ~bytes[index] }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether these bytes precede others: a negative number, 0 if they are equal, or a
    /// positive one.
    fileprivate func compare(_ other: UnsafeRawBufferPointer) -> Int {
        for (one, other) in zip(self, other) where one != other {
            return one < other ? -1 : 1
        }
        return count - other.count
    }
}
