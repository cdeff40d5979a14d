import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// The file system that a file is on.
enum FileSystem {
    /// Whether no process can write to the file system of a file, by whatever path.
    ///
    /// A mount may be read-only while another mount of the same file system is written to, so on
    /// Linux the options of the file system itself count. Permissions prove nothing: root ignores
    /// them. False where it is not certain, as on network file systems, which other hosts write.
    ///
    /// - Parameters:
    ///   - path: The path of the file, without links.
    ///   - device: The number of its device, `st_dev`.
    /// - Returns: Whether the file cannot change while it is read.
    static func isReadOnly(_ path: String, device: UInt64) -> Bool {
        #if canImport(Darwin)
        var system = statfs()
        guard statfs(path, &system) == 0 else { return false }
        let flags = system.f_flags & UInt32(MNT_RDONLY | MNT_LOCAL | MNT_UNION)
        return flags == UInt32(MNT_RDONLY | MNT_LOCAL)
        #else
        // A file of the kernel has no length: it is read to its end.
        guard let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") else {
            return false
        }
        return isReadOnly(device: device, mounts: String(decoding: mounts, as: UTF8.self))
        #endif
    }

    /// Whether the file system of a device is local and read-only, according to
    /// `/proc/self/mountinfo`.
    ///
    /// ```
    /// 36 27 7:0 / /media/cd ro,relatime shared:1 - iso9660 /dev/loop0 ro,check=s
    /// ```
    ///
    /// The last field has the options of the file system, the one before the hyphen those of this
    /// mount.
    static func isReadOnly(device: UInt64, mounts: String) -> Bool {
        // The encoding of the C library's `makedev`.
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        let minor = device & 0xff | device >> 12 & ~0xff
        return mounts.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == "\(major):\(minor)",
                let hyphen = fields.firstIndex(of: "-"), fields.count > hyphen + 3
            else { return false }
            return local.contains(String(fields[hyphen + 1]))
                && fields[hyphen + 3].split(separator: ",").contains("ro")
        }
    }

    /// File systems that belong to one host.
    ///
    /// A layered one, such as `overlay`, is missing because its layers may be written directly.
    private static let local: Set = [
        "cramfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfsplus", "iso9660", "msdos",
        "ntfs3", "romfs", "squashfs", "tmpfs", "udf", "vfat", "xfs",
    ]
}
