package import protocol Foundation.ContiguousBytes

#if canImport(CryptoKit)
import CryptoKit
#endif

/// The SHA-256 digest of bytes that arrive in parts (FIPS 180-4).
///
/// Apple's platforms have it in CryptoKit. Elsewhere it is computed here: swift-crypto would be the
/// only package of the libraries with C code of its own, for one function.
package struct ContentHash: Sendable {
    /// The number of bytes of a digest.
    package static let byteCount = 32

    #if canImport(CryptoKit)
    private var hash = SHA256()
    #else
    private var hash = SHA256State()
    #endif

    package init() {}

    /// Adds bytes to the end of those that are hashed.
    package mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { buffer in
            #if canImport(CryptoKit)
            hash.update(bufferPointer: buffer)
            #else
            hash.update(buffer)
            #endif
        }
    }

    /// Returns the digest of all bytes that were added so far.
    package var digest: [UInt8] {
        #if canImport(CryptoKit)
        Array(hash.finalize())
        #else
        hash.digest
        #endif
    }

    /// Returns the digest in lowercase hexadecimal digits.
    package var hexadecimal: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension String {
    /// The SHA-256 digest of the text in UTF-8, in hexadecimal digits.
    package var sha256: String {
        var hash = ContentHash()
        hash.update(Array(utf8))
        return hash.hexadecimal
    }
}

#if !canImport(CryptoKit)
/// The state of SHA-256 between two parts of a message.
private struct SHA256State: Sendable {
    /// The hash value so far: the first 32 bits of the fractions of the square roots of the first
    /// eight primes.
    private var words: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []

    private var length: UInt64 = 0

    private static let blockBytes = 64

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length += UInt64(bytes.count)
        var bytes = bytes[...]
        if !rest.isEmpty {
            let missing = bytes.prefix(Self.blockBytes - rest.count)
            rest += missing
            bytes = bytes.dropFirst(missing.count)
            guard rest.count == Self.blockBytes else { return }
            let block = rest
            block.withUnsafeBytes { compress($0) }
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count >= Self.blockBytes {
            compress(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.blockBytes)))
            bytes = bytes.dropFirst(Self.blockBytes)
        }
        rest += bytes
    }

    /// The digest of the message, which may be continued afterwards.
    var digest: [UInt8] {
        var last = self
        // The padding is a bit of 1, zeros, and the number of bits at the end of a block.
        let zeros = (2 * Self.blockBytes - 9 - rest.count) % Self.blockBytes
        var padding: [UInt8] = [0x80] + [UInt8](repeating: 0, count: zeros)
        withUnsafeBytes(of: (length * 8).bigEndian) { padding += $0 }
        padding.withUnsafeBytes { last.update($0) }
        return last.words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    private mutating func compress(_ block: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            for index in 0..<16 {
                let word = block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                schedule.initializeElement(at: index, to: UInt32(bigEndian: word))
            }
            for index in 16..<64 {
                let (early, late) = (schedule[index - 15], schedule[index - 2])
                let first = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
                let second = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
                schedule.initializeElement(
                    at: index,
                    to: schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
                )
            }
            var (a, b, c, d) = (words[0], words[1], words[2], words[3])
            var (e, f, g, h) = (words[4], words[5], words[6], words[7])
            for index in 0..<64 {
                let sum = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
                let choice = (e & f) ^ (~e & g)
                let first = h &+ sum &+ choice &+ Self.constants[index] &+ schedule[index]
                let majority = (a & b) ^ (a & c) ^ (b & c)
                let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
            for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= word }
        }
    }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
        0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
        0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
        0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ bits: UInt32) -> UInt32 { (self >> bits) | (self << (32 - bits)) }
}
#endif
