import Testing
import TidemarkModel

/// The SHA-256 digest of bytes.
struct ContentHashTests {
    // Sources: FIPS 180-4 examples; the last two were computed with Python's hashlib.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `the digest is that of the standard`(text: String, digest: String) {
        #expect(text.sha256 == digest)
    }

    @Test func `messages of every length around a block have their own digests`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var all = ContentHash()
        for length in bytes.indices {
            var hash = ContentHash()
            hash.update(Array(bytes.prefix(length)))
            all.update(hash.digest)
        }
        #expect(
            all.hexadecimal == "f65f14b090e805017546322e618401d41f0710c213e013a5131eb38bbe8f367f"
        )
    }

    @Test func `the parts in which a message arrives do not matter`() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 31) }
        var whole = ContentHash()
        whole.update(bytes)
        for size in [1, 3, 63, 64, 65, 128, 999] {
            var parts = ContentHash()
            for start in stride(from: 0, to: bytes.count, by: size) {
                parts.update(Array(bytes[start..<min(start + size, bytes.count)]))
                // A digest in between does not end the message.
                _ = parts.digest
            }
            #expect(parts.hexadecimal == whole.hexadecimal, "parts of \(size) bytes")
        }
    }
}
