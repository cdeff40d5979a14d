import TidemarkModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

extension InodeIdentity {
    /// Reads the identity of the file at a path; nil if it does not exist.
    init?(of path: String) {
        #if canImport(Darwin)
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let birth = status.st_birthtimespec
        self.init(
            inode: UInt64(status.st_ino),
            created: Int64(birth.tv_sec) &* 1_000_000_000 &+ Int64(birth.tv_nsec)
        )
        #else
        guard let status = Self.extendedStatus(of: path) else {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(inode: UInt64(status.st_ino), created: 0)
            return
        }
        func number<Number>(at offset: Int, _: Number.Type) -> Number {
            status.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
        }
        let isKnown = number(at: 0, UInt32.self) & Self.hasBirth != 0
        let (seconds, rest) = (number(at: 80, Int64.self), number(at: 88, UInt32.self))
        self.init(
            inode: number(at: 32, UInt64.self),
            // It is only compared: a file system may report any number.
            created: isKnown ? seconds &* 1_000_000_000 &+ Int64(rest) : 0
        )
        #endif
    }

    #if !canImport(Darwin)
    private typealias Statx =
        @convention(c) (
            Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
        ) -> Int32

    /// `STATX_BTIME` of statx(2).
    private static let hasBirth: UInt32 = 0x800

    /// `STATX_INO` of statx(2).
    private static let hasNumber: UInt32 = 0x100

    /// Returns the bytes of `struct statx`; nil if the file does not exist, or the C library lacks
    /// the function.
    ///
    /// Only statx(2) reports when a file was created. Swift does not import it, because the headers
    /// declare it for GNU sources alone. The structure is a part of the kernel's interface: 256
    /// bytes, the mask at 0, the number at 32, and the time of birth at 80.
    private static func extendedStatus(of path: String) -> [UInt8]? {
        guard let symbol = dlsym(nil, "statx") else { return nil }
        let statx = unsafeBitCast(symbol, to: Statx.self)
        var bytes = [UInt8](repeating: 0, count: 256)
        let result = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { statx(AT_FDCWD, path, 0, hasNumber | hasBirth, $0) }
        }
        return result == 0 ? bytes : nil
    }
    #endif
}
