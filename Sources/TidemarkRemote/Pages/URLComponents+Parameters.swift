import Foundation

extension URLComponents {
    /// The decoded value of a query parameter; nil if it is absent.
    ///
    /// A new value replaces the old ones of the same name; nil removes them.
    subscript(parameter name: String) -> String? {
        get { queryItems?.last { $0.name == name }?.value }
        set {
            // The encoded query, not `queryItems`: setting those would change the encoding of other
            // parameters, such as `%2B` to `+`.
            let name = name.utf8.percentEncoded
            var parameters = (percentEncodedQuery ?? "").split(separator: "&").map(String.init)
            parameters.removeAll { $0 == name || $0.hasPrefix("\(name)=") }
            if let newValue { parameters.append("\(name)=\(newValue.utf8.percentEncoded)") }
            percentEncodedQuery = parameters.isEmpty ? nil : parameters.joined(separator: "&")
        }
    }
}

extension URL {
    /// Returns the URL with query parameters, which replace those of the same names; nil if the URL
    /// cannot be parsed.
    func setting(_ parameters: [QueryItem]) -> URL? {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        for item in parameters { parts?[parameter: item.name] = item.value }
        return parts?.url
    }
}

extension Sequence<UInt8> {
    /// The text of the bytes, with all characters percent-encoded but the unreserved ones of RFC
    /// 3986, 2.3.
    var percentEncoded: String {
        // Foundation encodes strings, but the password of Basic authentication may be any bytes.
        // `.urlQueryAllowed` would also keep plus signs, which form decoders take for spaces.
        reduce(into: "") { text, byte in
            let scalar = UnicodeScalar(byte)
            let isLetterOrDigit = scalar.isASCII && CharacterSet.alphanumerics.contains(scalar)
            if isLetterOrDigit || "-._~".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
