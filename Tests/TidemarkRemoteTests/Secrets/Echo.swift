import Foundation
import HTTPTypes
import TidemarkTestSupport

/// A response that repeats a secret: how the secret was sent, and how and where the response
/// contains it.
struct Echo: Sample {
    /// The part of a request that contains the secret.
    enum SecretPosition: CaseIterable {
        case bearer, scheme, quoted, list, field, password, user, parameter
    }

    /// The encoding of the secret in the response.
    enum Encoding: CaseIterable {
        case plain, uppercase, percent, lowercasePercent, everyPercent, doublePercent, html, decimal
        case hexadecimal, json, codeUnits, htmlOfJSON, truncated
    }

    var secret: String
    var position: SecretPosition
    var encoding: Encoding
    var before: String
    var after: String
    var isJSON: Bool

    /// Creates the sample of a seed.
    init(seed: UInt64) {
        var chance = Chance(seed: seed)
        position = chance.pick(SecretPosition.allCases)
        encoding = chance.pick(Encoding.allCases)
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        // Delimiters of a part of the request cannot occur in a secret that it contains.
        let special: [SecretPosition: String] = [
            .bearer: "+/=%&<", .scheme: "+/%&<\"\\=,;", .quoted: "+/%&< ,;=\\", .list: "+/%&<\\",
            .field: "+/%&<\"\\ =,;", .password: "+/%&<\"\\ é:", .user: "+/%&<\"\\ é",
            .parameter: "+/%&<\"\\ é=",
        ]
        let letters = Array(plain + (special[position] ?? "") + (special[position] ?? ""))
        let length = chance.number(12...48)
        secret = String((0..<length).map { _ in chance.pick(letters) })
        // Whitespace around a field value is not part of the value (RFC 9110, 5.5).
        secret = "s\(secret)t"
        // Text before an equals sign is taken for a parameter name, which is not secret.
        if encoding == .truncated { secret = secret.replacing("=", with: "-") }
        before = String(
            repeating: chance.pick([" ", "x", "\n", "é"]),
            count: chance.pick([0, 1, 780, 799])
        )
        after = chance.pick(["", ".", " is not valid", String(repeating: "y", count: 9_000)])
        isJSON = chance.happens(50)
    }

    var description: String {
        "\(position) \(secret), as \(encoding), after \(before.count) and before \(after.count) "
            + "characters of \(isJSON ? "JSON" : "text")"
    }

    var smaller: [Echo] {
        var shorter = self
        shorter.secret = "s" + secret.dropFirst(2)
        var (withoutPrefix, withoutSuffix, text) = (self, self, self)
        withoutPrefix.before = ""
        withoutSuffix.after = ""
        text.isJSON = false
        return [
            secret.count > 12 ? shorter : nil, before.isEmpty ? nil : withoutPrefix,
            after.isEmpty ? nil : withoutSuffix, isJSON ? text : nil,
        ].compactMap(\.self)
    }

    /// The header fields and the query parameter that contain the secret.
    var sent: (fields: HTTPFields, parameter: String?) {
        func basic(_ pair: String) -> String { "Basic \(Data(pair.utf8).base64EncodedString())" }
        return switch position {
        case .bearer: ([.authorization: "Bearer \(secret)"], nil)
        case .scheme: ([.authorization: "ApiKey \(secret)"], nil)
        case .quoted: ([.authorization: "Token token=\"\(secret)\", nonce=\"1\""], nil)
        case .list: ([.apiKey: "key=\(secret),ts=1"], nil)
        case .field: ([.apiKey: secret], nil)
        case .password: ([.authorization: basic("ada:\(secret)")], nil)
        case .user: ([.authorization: basic("\(secret):")], nil)
        case .parameter: ([:], secret)
        }
    }

    /// The secret in the encoding of the response.
    var encoded: String {
        switch encoding {
        case .plain: secret
        case .uppercase: String(secret.map { $0.isASCII ? Character($0.uppercased()) : $0 })
        case .percent: Self.percent(secret)
        case .lowercasePercent:
            secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
        case .everyPercent: secret.utf8.map { "%" + Self.hex($0) }.joined()
        case .doublePercent: Self.percent(Self.percent(secret))
        case .html: Self.html(secret)
        case .decimal: secret.unicodeScalars.map { "&#\($0.value);" }.joined()
        case .hexadecimal:
            secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()
        case .json: Self.json(secret)
        case .codeUnits:
            secret.utf16.map { "\\u" + Self.hex(UInt8($0 >> 8)) + Self.hex(UInt8($0 & 255)) }
                .joined()
        case .htmlOfJSON: Self.html(Self.json(secret))
        case .truncated: String(secret.prefix(11))
        }
    }

    /// The body of the response.
    var body: String {
        let text = before + encoded + after
        guard isJSON else { return text }
        let inner = Self.json(text).replacing("\n", with: "\\n")
        return #"{"detail": "\#(inner)"}"#
    }

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            "\"",
            with: "&quot;"
        )
    }

    private static func json(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("/", with: "\\/")
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

extension HTTPField.Name {
    fileprivate static let apiKey = HTTPField.Name("X-Api-Key") ?? .authorization
}
