import Foundation

/// A token of the document: the position of its text, and the index of the following token.
struct Token {
    enum Kind: UInt8 {
        case object, array, string, integer, real, yes, no, null
    }
    var kind: Kind
    var start: Int
    /// The number of bytes of a scalar, or of members of a container.
    var length: Int32
    /// The index of the token after this one and all that it contains.
    var next: Int32
}

/// Converts one object after the other to tokens.
///
/// It does not validate the document, so it is only suitable for trusted input.
struct Tape {
    let text: UnsafePointer<UInt8>
    var at = 0
    let tokens = UnsafeMutablePointer<Token>.allocate(capacity: 1 << 16)
    private var count = 0

    init(_ text: UnsafePointer<UInt8>) {
        self.text = text
    }

    /// Skips white space, and returns the byte after it without consuming it.
    @discardableResult
    mutating func skipBlanks() -> UInt8 {
        while text[at] == 0x20 || text[at] == 0x0a || text[at] == 0x0d || text[at] == 0x09 {
            at += 1
        }
        return text[at]
    }

    /// Skips white space, and consumes the byte after it.
    mutating func take() -> UInt8 {
        let byte = skipBlanks()
        at += 1
        return byte
    }

    mutating func scanItem() {
        count = 0
        value()
    }

    private mutating func add(_ kind: Token.Kind, _ start: Int, _ length: Int) {
        tokens[count] = Token(
            kind: kind,
            start: start,
            length: Int32(truncatingIfNeeded: length),
            next: Int32(truncatingIfNeeded: count + 1)
        )
        count += 1
    }

    private mutating func value() {
        switch skipBlanks() {
        case UInt8(ascii: "{"): container(.object, UInt8(ascii: "}"))
        case UInt8(ascii: "["): container(.array, UInt8(ascii: "]"))
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): literal(.yes, 4)
        case UInt8(ascii: "f"): literal(.no, 5)
        case UInt8(ascii: "n"): literal(.null, 4)
        default: number()
        }
    }

    private mutating func container(_ kind: Token.Kind, _ end: UInt8) {
        let mine = count
        var members: Int32 = 0
        add(kind, at, 0)
        at += 1
        if skipBlanks() == end {
            at += 1
        } else {
            repeat {
                if kind == .object {
                    skipBlanks()
                    string()
                    _ = take()
                }
                value()
                members += 1
            } while take() != end
        }
        tokens[mine].length = members
        tokens[mine].next = Int32(truncatingIfNeeded: count)
    }

    private mutating func literal(_ kind: Token.Kind, _ length: Int) {
        add(kind, at, length)
        at += length
    }

    private mutating func string() {
        at += 1
        let start = at
        while true {
            let word = UnsafeRawPointer(text + at).loadUnaligned(as: UInt64.self)
            let quotes = word ^ 0x2222_2222_2222_2222
            let escapes = word ^ 0x5c5c_5c5c_5c5c_5c5c
            let ones: UInt64 = 0x0101_0101_0101_0101
            let found =
                (((quotes &- ones) & ~quotes) | ((escapes &- ones) & ~escapes))
                & 0x8080_8080_8080_8080
            guard found != 0 else {
                at += 8
                continue
            }
            at += found.trailingZeroBitCount >> 3
            if text[at] == UInt8(ascii: "\"") { break }
            at += 2
        }
        add(.string, start, at - start)
        at += 1
    }

    private mutating func number() {
        let start = at
        var kind = Token.Kind.integer
        scan: while true {
            switch text[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
                kind = .real
            default: break scan
            }
            at += 1
        }
        guard at > start else { fail("There is no value at byte \(at).", 65) }
        add(kind, start, at - start)
    }
}

// MARK: Values

extension Tape {
    func integer(_ token: Token) -> Int64 {
        var number: Int64 = 0
        let isNegative = text[token.start] == UInt8(ascii: "-")
        for offset in (token.start + (isNegative ? 1 : 0))..<(token.start + Int(token.length)) {
            number = number &* 10 &+ Int64(text[offset] & 15)
        }
        return isNegative ? -number : number
    }

    func real(_ token: Token) -> Double {
        strtod(UnsafeRawPointer(text + token.start).assumingMemoryBound(to: CChar.self), nil)
    }

    /// Converts a date such as `2014-05-13T16:53:20.123Z` to seconds since 1970.
    func date(_ token: Token) -> Double {
        let digits = text + token.start
        func number(_ first: Int, _ count: Int) -> Int {
            var number = 0
            for offset in first..<(first + count) {
                number = number &* 10 &+ Int(digits[offset] & 15)
            }
            return number
        }
        let month = number(5, 2)
        let year = number(0, 4) - (month <= 2 ? 1 : 0)
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + number(8, 2) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = days * 86_400 + number(11, 2) * 3_600 + number(14, 2) * 60 + number(17, 2)
        let fraction = digits[19] == UInt8(ascii: ".") ? Double(number(20, 3)) / 1_000 : 0
        return Double(seconds) + fraction
    }
}
