import TidemarkJSON
package import TidemarkModel

/// Generates random JSON values for attributes and keys.
package enum RandomValue {
    /// Returns a value that converts to an attribute's type, in any spelling.
    package static func valid(_ attribute: Attribute, _ chance: inout Chance) -> JSONTree {
        switch attribute.type {
        case .integer16: integer(["-32768", "0", "7", "12", "32767"], &chance)
        case .integer32: integer(["-2147483648", "0", "7", "99", "2147483647"], &chance)
        case .integer64:
            integer(["-9223372036854775808", "0", "7", "1e3", "9223372036854775807"], &chance)
        case .decimal: integer(["12.20", "0.1", "-3", "1e10", "0.000001", "12.2"], &chance)
        case .double: integer(["1.5", "-0.1", "1e300", "0", "-0", "3"], &chance)
        case .float: integer(["1.5", "-0.1", "3", "0.1", "16777217"], &chance)
        case .string:
            chance.pick([
                .string(""), .string("a"), .string("ü ß"), .string("日本語"), .string("b\nc\"d\\"),
                .string("'; --"), .string("🙂"), .number("12"), .bool(true), .string("2"),
            ])
        case .boolean:
            chance.pick([
                .bool(true), .bool(false), .string("yes"), .string("no"), .number("1"),
                .number("0"),
            ])
        case .date: attribute.json.dateFormat.map { date($0, &chance) } ?? date(&chance)
        case .binary:
            attribute.json.encoding == .base64
                ? chance.pick([.string(""), .string("AAEC"), .string("/+8=")]) : any(&chance)
        case .uuid: uuid(chance.number(1...9), &chance)
        case .uri:
            chance.pick([
                .string("https://host/a/1"), .string("mailto:a@b"), .string("/path"),
            ])
        case .transformable, .json: any(&chance)
        }
    }

    /// Returns a value that does not convert to an attribute's type, or null if every value does.
    package static func invalid(_ attribute: Attribute, _ chance: inout Chance) -> JSONTree {
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            chance.pick([.number("1.5"), .string("x"), .array([]), .number("1e30")])
        case .decimal, .double, .float: chance.pick([.string("x"), .object([]), .string("")])
        case .string: chance.pick([.array([]), .object([]), .string("a\0b")])
        case .boolean: chance.pick([.number("2"), .string("maybe"), .array([])])
        case .date: chance.pick([.string("soon"), .bool(true), .string("2020-13-01")])
        case .binary:
            attribute.json.encoding == .base64 ? .string("?") : .null
        case .uuid, .uri: chance.pick([.number("3"), .string(""), .array([.null])])
        case .transformable, .json: .null
        }
    }

    /// Returns a part of the n-th key of an entity, in any spelling.
    ///
    /// Keys with different numbers are different. A single part of a two-part key may be equal for
    /// different numbers.
    package static func key(
        _ attribute: Attribute,
        _ number: Int,
        _ chance: inout Chance
    ) -> JSONTree {
        switch attribute.name {
        case "storeID": return integer(["\(number % 2)"], &chance)
        case "code": return .string("c\(number / 2)")
        default: break
        }
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            return chance.pick([
                .number("\(number)"), .number("\(number)"), .string("\(number)"),
                .string("https://host/things/\(number)/"),
            ])
        case .decimal: return integer(["\(number).5", "\(number).50"], &chance)
        case .string: return chance.pick([.number("\(number)"), .string("\(number)")])
        case .date:
            return chance.pick([
                .string("2020-01-0\(number % 10)T00:00:00Z"), .string("2020-01-0\(number % 10)"),
            ])
        case .uuid: return uuid(number, &chance)
        case .uri: return .string("https://host/k/\(number)")
        case .boolean, .double, .float, .binary, .transformable, .json:
            return .number("\(number)")
        }
    }

    /// Returns a value that is unique to a number.
    package static func distinct(_ type: AttributeType, _ number: Int) -> JSONTree {
        switch type {
        case .string: .string("u\(number)")
        case .uri: .string("https://host/u/\(number)")
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date,
            .binary, .uuid, .transformable, .json:
            .number("\(number)")
        }
    }

    static func defaultValue(_ type: AttributeType) -> Value? {
        switch type {
        case .integer16, .integer32, .integer64: .integer(5)
        case .decimal: .decimal("2.5")
        case .double, .float: .double(0.5)
        case .string: .string("none")
        case .boolean: .boolean(true)
        case .date: .date(86_400)
        case .binary: .binary(Array("1".utf8))
        case .uuid: .uuid("00000000-0000-4000-8000-0000000000FF")
        case .uri: .uri("https://host/none")
        case .transformable: nil
        case .json: .json("[]")
        }
    }

    /// Returns a small JSON value of any type except null.
    package static func any(_ chance: inout Chance) -> JSONTree {
        chance.pick([
            .bool(false), .number("1.50"), .string("x"), .array([.number("1"), .null]),
            .object([.init("a", .array([])), .init("b", .object([]))]),
        ])
    }

    private static func integer(_ texts: [String], _ chance: inout Chance) -> JSONTree {
        let text = chance.pick(texts)
        return chance.happens(25) ? .string(text) : .number(text)
    }

    private static func uuid(_ number: Int, _ chance: inout Chance) -> JSONTree {
        let text = "00000000-0000-4000-8000-00000000000\(number % 10)".replacing(
            "8000",
            with: "abcd"
        )
        return .string(chance.happens(50) ? text : text.uppercased())
    }

    /// The date formats that attributes may specify.
    static let dateFormats = [
        "seconds", "milliseconds", "microseconds", "dd.MM.yyyy", "yyyyMMddHHmm",
        "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", "EEE, d MMM yyyy h:mm:ss a xx",
    ]

    /// Returns a time in the date format of an attribute.
    private static func date(_ format: String, _ chance: inout Chance) -> JSONTree {
        let moment: Int64 = chance.pick([
            0, -500_000, 1_463_480_430_000_000, 1_463_480_430_123_456, -5_000_000_000_000_000,
            253_402_300_799_999_999, -62_167_219_200_000_000,
        ])
        do {
            var writer = JSONWriter()
            try DateFormat(format).write(moment, into: &writer)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            return text.hasPrefix("\"")
                ? .string(String(text.dropFirst().dropLast())) : .number(text)
        } catch {
            return .string("\(error)")
        }
    }

    private static func date(_ chance: inout Chance) -> JSONTree {
        chance.pick([
            .string("2016-05-17T10:20:30Z"), .string("2016-05-17"), .number("0"),
            .string("1969-12-31T23:59:59.5Z"), .string("2016-05-17T10:20:30.123456+02:00"),
            .number("1500000000"), .number("1500000000123"),
            .string("Tue, 15 Nov 1994 08:12:31 GMT"),
        ])
    }
}
