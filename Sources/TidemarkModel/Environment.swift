public import struct Foundation.Date
public import struct Foundation.UUID

/// What the outside world decides: the time, new identifiers, chance and waiting.
///
/// Every part of Tidemark that needs one of these is handed an environment; nothing asks the system
/// behind its back. Tests hand in one that they control.
public struct Environment: Sendable {
    /// The time now.
    public var now: @Sendable () -> Date

    /// A new identifier, different from every other.
    public var uuid: @Sendable () -> UUID

    /// A number in `0 ..< 1`, by chance.
    public var random: @Sendable () -> Double

    /// Waits for a while; throws `CancellationError` when the task is cancelled meanwhile.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Creates an environment of the given sources.
    public init(
        now: @escaping @Sendable () -> Date,
        uuid: @escaping @Sendable () -> UUID,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.uuid = uuid
        self.random = random
        self.sleep = sleep
    }
}
