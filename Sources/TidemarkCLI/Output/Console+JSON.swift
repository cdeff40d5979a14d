import Foundation
import TidemarkJSON
import TidemarkModel

extension Console {
    /// Prints a value as one line of JSON with sorted keys.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try raw(String(decoding: encoder.encode(value), as: UTF8.self))
    }

    /// Prints the buffered output once it exceeds a size, so that memory use does not depend on the
    /// length of the document.
    static func flush(_ writer: inout JSONWriter, above count: Int = 1 << 16) throws {
        if writer.bytes.count > count {
            try writer.drain { try raw($0) }
        }
    }

    /// Prints the rest of a JSON document and a line break.
    static func end(_ writer: inout JSONWriter) throws {
        try flush(&writer, above: 0)
        try raw("")
    }

    /// Prints a JSON document for a terminal.
    ///
    /// Control characters are escaped, so that the output is safe to display and remains valid
    /// JSON.
    static func legibleJSON(_ bytes: [UInt8]) throws {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || scalar.isPrintable {
                text.unicodeScalars.append(scalar)
            } else {
                // Except for line breaks, such characters occur only in strings, where each has an
                // escape.
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        try raw(text)
    }
}
