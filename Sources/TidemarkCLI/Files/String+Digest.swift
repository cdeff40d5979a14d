import Crypto

extension String {
    /// The SHA-256 digest of the text in UTF-8, in hexadecimal digits.
    var sha256: String {
        SHA256.hash(data: Array(utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }
}
