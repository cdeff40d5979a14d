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
        uuid: { UUID() },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) },
        process: { .current },
        isRunning: { $0.isRunning }
    )
}
