import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// Checks of the file system that contains a file.
enum FileSystem {
    /// Returns whether no process can write to the file system that contains a file, through any
    /// path.
    ///
    /// On Linux, the options of the file system itself are checked, because a mount may be
    /// read-only while another mount of the same file system is writable. File permissions are not
    /// considered: root ignores them. Returns false in case of doubt, for example for network file
    /// systems, which other hosts may write to.
    ///
    /// - Parameters:
    ///   - path: The path of the file, with symbolic links resolved.
    ///   - device: The device number of the file, `st_dev`.
    /// - Returns: Whether the file cannot change while it is read.
    static func isReadOnly(_ path: String, device: UInt64) -> Bool {
        #if canImport(Darwin)
        var system = statfs()
        guard statfs(path, &system) == 0 else { return false }
        // A union mount shows files of a lower layer, which may be written through its own path.
        let flags = system.f_flags & UInt32(MNT_RDONLY | MNT_LOCAL | MNT_UNION)
        return flags == UInt32(MNT_RDONLY | MNT_LOCAL)
        #else
        // Files in /proc report a length of 0, so this reads to the end of the file.
        guard let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo") else {
            return false
        }
        return isReadOnly(device: device, mounts: String(decoding: mounts, as: UTF8.self))
        #endif
    }

    /// Returns whether the file system of a device is local and read-only, according to the
    /// contents of `/proc/self/mountinfo`.
    ///
    /// ```
    /// 36 27 7:0 / /media/cd ro,relatime shared:1 - iso9660 /dev/loop0 ro,check=s
    /// ```
    ///
    /// The last field contains the options of the file system. The options of this mount,
    /// `ro,relatime` in the example, are not considered.
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

    /// The types of file systems that only one host can write to.
    ///
    /// Layered file systems such as `overlay` are excluded because their layers may be written
    /// directly.
    private static let local: Set = [
        "cramfs", "erofs", "exfat", "ext2", "ext3", "ext4", "f2fs", "hfsplus", "iso9660", "msdos",
        "ntfs3", "romfs", "squashfs", "tmpfs", "udf", "vfat", "xfs",
    ]
}
