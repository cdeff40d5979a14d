import Foundation
public import TidemarkModel

extension SystemEnvironment {
    /// The environment that uses the clock, the random number generator and the processes of the
    /// system.
    ///
    /// It is the default of everything that takes an environment. Tests replace it to control time;
    /// a part can be replaced as well.
    ///
    /// ```swift
    /// var environment = SystemEnvironment.live
    /// environment.random = { 0 }    // retries without jitter
    /// ```
    public static let live = SystemEnvironment(
        now: { Date() },
        uuid: { .random() },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) },
        process: { .current },
        isRunning: { $0.isRunning },
        fileIdentity: { InodeIdentity(of: $0) },
        stateFolder: .live
    )
}

extension UUID {
    /// Returns a random identifier (RFC 9562, version 4).
    ///
    /// Foundation opens the system's source of randomness for each of its own on Linux, and a push
    /// needs one for each request.
    fileprivate static func random() -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for half in [0, 8] {
                let random = UInt64.random(in: .min ... .max)
                bytes.storeBytes(of: random, toByteOffset: half, as: UInt64.self)
            }
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
        }
        return UUID(uuid: bytes)
    }
}
