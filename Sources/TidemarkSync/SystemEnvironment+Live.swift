import Foundation
public import TidemarkModel

extension SystemEnvironment {
    /// The world as it is.
    public static let live = SystemEnvironment(
        now: { Date() },
        uuid: { UUID() },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) },
        process: { .current },
        isRunning: { $0.isRunning }
    )
}
