package import TidemarkModel

/// The rules by which transports wait before they send a request: the clock, the limits, and the
/// observer of each wait.
package struct WaitPolicy: Sendable {
    /// Called before a wait with its length and the reason.
    package typealias Observer = @Sendable (_ length: Duration, _ reason: RemoteError) -> Void

    let environment: SystemEnvironment

    /// The limits; `Limits.http.retryTime` is the longest wait, and the longest time for all
    /// attempts.
    let limits: Limits

    private let onWait: Observer

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - environment: The source of time, random numbers and waiting.
    ///   - limits: The limits for attempts, waits, and bytes in memory.
    ///   - onWait: Called before each wait.
    package init(
        environment: SystemEnvironment,
        limits: Limits = Limits(),
        onWait: @escaping Observer = { _, _ in }
    ) {
        self.environment = environment
        self.limits = limits
        self.onWait = onWait
    }

    /// Reports a wait, and waits.
    func wait(_ length: Duration, because reason: RemoteError) async throws {
        onWait(length, reason)
        try await environment.sleep(length)
    }
}
