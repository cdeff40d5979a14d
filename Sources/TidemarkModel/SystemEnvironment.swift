public import struct Foundation.Date
public import struct Foundation.UUID

/// The system services that Tidemark depends on: clock, identifiers, random numbers, sleep and
/// processes.
///
/// Every part of Tidemark that needs one of these receives an environment and never calls the
/// system directly. Tests pass an environment that they control.
public struct SystemEnvironment: Sendable {
    /// Returns the current time.
    public var now: @Sendable () -> Date

    /// Returns a new unique identifier.
    public var uuid: @Sendable () -> UUID

    /// Returns a random number in `0 ..< 1`.
    public var random: @Sendable () -> Double

    /// Suspends the current task for a duration.
    ///
    /// Throws `CancellationError` if the task is cancelled meanwhile.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Returns the identity of the current process.
    public var process: @Sendable () -> ProcessIdentity

    /// Returns whether a process on this host is still running.
    ///
    /// It detects the lease of a process that crashed.
    public var isRunning: @Sendable (ProcessIdentity) -> Bool

    /// Creates an environment from the given functions.
    ///
    /// By default, `process` returns an empty identity and `isRunning` returns true.
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
    /// Returns the time elapsed since a date.
    package func duration(since start: Date) -> Duration {
        .seconds(now().timeIntervalSince(start))
    }
}

/// The identity of a process.
///
/// The process ID alone is not sufficient, because the system reuses it.
public struct ProcessIdentity: Hashable, Sendable {
    /// The name of the host on which the process runs.
    public var host: String

    /// The process ID.
    public var number: Int64

    /// The start time of the process in a unit that depends on the host, or 0 if it is unknown.
    ///
    /// It is comparable only on the same host.
    public var started: Int64

    /// Creates the identity of a process.
    public init(host: String = "", number: Int64 = 0, started: Int64 = 0) {
        self.host = host
        self.number = number
        self.started = started
    }
}
