import Foundation
public import TidemarkModel

extension Environment {
    /// The world as it is.
    public static let live = Environment(
        now: { Date() },
        uuid: { UUID() },
        random: { Double.random(in: 0..<1) },
        sleep: { try await Task.sleep(for: $0) },
        process: { .current },
        isRunning: { $0.isRunning }
    )
}
