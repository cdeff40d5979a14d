import Foundation
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

extension ProcessIdentity {
    /// The process that asks.
    static var current: ProcessIdentity {
        let number = Int64(getpid())
        return ProcessIdentity(host: hostName, number: number, started: began(number) ?? unknown)
    }

    /// Whether the process, of this host, is still running, as far as the system tells: some hide
    /// other processes.
    var isRunning: Bool {
        guard let number = pid_t(exactly: number), number > 0 else { return false }
        if kill(number, 0) != 0, errno == ESRCH { return false }
        guard started != Self.unknown, let began = Self.began(self.number) else { return true }
        return began == started
    }

    /// When a process was started whose system does not tell.
    private static let unknown: Int64 = 0

    /// When a process was started that has ended, but nobody has asked for its status yet.
    private static let ended: Int64 = -1

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// When a process was started; nil where the system does not tell.
    private static func began(_ number: Int64) -> Int64? {
        #if canImport(Darwin)
        var info = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, Int32(truncatingIfNeeded: number)]
        guard sysctl(&name, 4, &info, &size, nil, 0) == 0, size > 0 else { return nil }
        let time = info.kp_proc.p_starttime
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
        #else
        // The 22nd field; the second is a name in parentheses that may hold anything.
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: bytes[end...], as: UTF8.self).split(separator: " ")
        guard fields.count > 20 else { return nil }
        return fields[1] == "Z" ? ended : Int64(fields[20])
        #endif
    }
}
