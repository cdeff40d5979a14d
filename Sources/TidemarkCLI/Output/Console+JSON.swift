import Foundation
import TidemarkModel

extension Console {
    /// Prints a value as one line of JSON, its members in alphabetical order.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try raw(String(decoding: encoder.encode(value), as: UTF8.self))
    }

    /// Prints one JSON document.
    static func json(_ body: (inout JSONWriter) throws -> Void) throws {
        var writer = JSONWriter()
        try body(&writer)
        try end(&writer)
    }

    /// Prints what was written so far when it has become long: a document of any length needs no
    /// memory.
    static func flush(_ writer: inout JSONWriter, above count: Int = 1 << 16) throws {
        if writer.bytes.count > count {
            try writer.drain { try raw($0) }
        }
    }

    /// Prints the end of a JSON document, and ends the line.
    static func end(_ writer: inout JSONWriter) throws {
        try flush(&writer, above: 0)
        try raw("")
    }

    /// Prints a JSON document for people: characters that could steer a terminal are escaped, so
    /// that programs can read it too.
    static func legibleJSON(_ bytes: [UInt8]) throws {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || scalar.isPrintable {
                text.unicodeScalars.append(scalar)
            } else {
                // All but line breaks are within strings, where each has an escape.
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        try raw(text)
    }
}
