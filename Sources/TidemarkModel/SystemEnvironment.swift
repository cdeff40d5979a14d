public import struct Foundation.Date
public import struct Foundation.UUID

/// What the outside world decides: the time, new identifiers, chance and waiting.
///
/// Every part of Tidemark that needs one of these is handed an environment; nothing asks the system
/// behind its back. Tests hand in one that they control.
public struct SystemEnvironment: Sendable {
    /// The time now.
    public var now: @Sendable () -> Date

    /// A new identifier, different from every other.
    public var uuid: @Sendable () -> UUID

    /// A number in `0 ..< 1`, by chance.
    public var random: @Sendable () -> Double

    /// Waits for a while; throws `CancellationError` when the task is cancelled meanwhile.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// The process that all this happens in.
    public var process: @Sendable () -> ProcessIdentity

    /// Whether a process of this host is still running.
    public var isRunning: @Sendable (ProcessIdentity) -> Bool

    /// Creates an environment of the given sources.
    public init(
        now: @escaping @Sendable () -> Date,
        uuid: @escaping @Sendable () -> UUID,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        process: @escaping @Sendable () -> ProcessIdentity = { ProcessIdentity() },
        isRunning: @escaping @Sendable (ProcessIdentity) -> Bool = { _ in true }
    ) {
        self.now = now
        self.uuid = uuid
        self.random = random
        self.sleep = sleep
        self.process = process
        self.isRunning = isRunning
    }
}

extension SystemEnvironment {
    /// How long ago a time was.
    package func duration(since start: Date) -> Duration {
        .seconds(now().timeIntervalSince(start))
    }
}

/// What tells a process from every other: its number alone is given again.
public struct ProcessIdentity: Hashable, Sendable {
    /// The name of the host that it runs on.
    public var host: String

    /// Its number there.
    public var number: Int64

    /// When it was started, in a unit of the host's own.
    public var started: Int64

    /// Creates an identity.
    public init(host: String = "", number: Int64 = 0, started: Int64 = 0) {
        self.host = host
        self.number = number
        self.started = started
    }
}
