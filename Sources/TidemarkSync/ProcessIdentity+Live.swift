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
    /// The identity of the current process.
    static var current: ProcessIdentity {
        let number = Int64(getpid())
        return ProcessIdentity(host: hostName, number: number, started: began(number) ?? unknown)
    }

    /// Whether the process is still running.
    ///
    /// Meaningful for processes on this host only.
    ///
    /// The start time is compared as well, because the system reuses process numbers. If the system
    /// does not report it, as some hide other processes, the number alone decides.
    var isRunning: Bool {
        guard let number = pid_t(exactly: number), number > 0 else { return false }
        // Any other error, such as EPERM, means that the process exists.
        if kill(number, 0) != 0, errno == ESRCH { return false }
        guard started != Self.unknown, let began = Self.began(self.number) else { return true }
        return began == started
    }

    /// The start time of a process if the system does not report it.
    private static let unknown: Int64 = 0

    /// The start time of a process that has exited but was not waited for (a zombie).
    private static let ended: Int64 = -1

    private static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// Returns the start time of a process; nil if the system does not report it.
    ///
    /// The unit is microseconds since 1970 on Darwin, and clock ticks since boot on Linux.
    private static func began(_ number: Int64) -> Int64? {
        #if canImport(Darwin)
        var info = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, Int32(truncatingIfNeeded: number)]
        guard sysctl(&name, 4, &info, &size, nil, 0) == 0, size > 0 else { return nil }
        let time = info.kp_proc.p_starttime
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
        #else
        // Field 22 of `/proc/PID/stat`, see proc_pid_stat(5). Field 2 is the command name in
        // parentheses, which may itself contain spaces and parentheses.
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/stat"),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: bytes[end...], as: UTF8.self).split(separator: " ")
        guard fields.count > 20 else { return nil }
        return fields[1] == "Z" ? ended : Int64(fields[20])
        #endif
    }
}
