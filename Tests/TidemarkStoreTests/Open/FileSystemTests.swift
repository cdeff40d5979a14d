import Foundation
import Testing
import TidemarkTestSupport

@testable import TidemarkStore

/// Detection of files that no process can change.
struct FileSystemTests {
    private static let mounts = """
        27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
        28 27 254:0 /data /mnt/data ro,relatime shared:7 - ext4 /dev/vda rw,discard
        29 27 7:0 / /media/a\\040disc ro,relatime shared:8 master:1 - iso9660 /dev/loop0 ro,check=s
        30 27 0:41 / /mnt/share ro,relatime - nfs4 host:/share ro,vers=4.2
        31 27 0:42 / /image ro,relatime - overlay overlay ro,lowerdir=/a:/b
        32 27 259:1 / /broken rw,relatime - ext4 /dev/sda1 rw,errors=remount-ro
        33 27 259:70000 / /backup rw - xfs /dev/sdb1 ro
        34 27 7:1 / /short ro - squashfs
        """

    private func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
        (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
    }

    @Test(
        arguments: [
            (254, 0, false), (7, 0, true), (0, 41, false), (0, 42, false), (259, 1, false),
            (259, 70_000, true), (7, 1, false), (7, 2, false),
        ] as [(UInt64, UInt64, Bool)]
    )
    func `a local read-only file system cannot change, whatever its mount options`(
        major: UInt64,
        minor: UInt64,
        isReadOnly: Bool
    ) {
        let device = device(major, minor)
        #expect(FileSystem.isReadOnly(device: device, mounts: Self.mounts) == isReadOnly)
    }

    @Test func `a file on a writable file system may change`() throws {
        let folder = try Folder()
        let file = folder.filePath("file")
        try folder.write("", to: "file")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        let device = try #require(attributes[.systemNumber] as? NSNumber)
        #expect(!FileSystem.isReadOnly(file, device: device.uint64Value))
    }
}
