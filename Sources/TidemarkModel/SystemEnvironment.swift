public import struct Foundation.Date
public import struct Foundation.UUID

/// The system services that Tidemark depends on: clock, identifiers, random numbers, sleep and
/// processes.
///
/// Every part of Tidemark that needs one of these receives an environment and never calls the
/// system directly. An app uses `SystemEnvironment.live`, the default of a `SyncEngine`. Tests pass
/// an environment that they control, such as that of the `ManualClock` of `TidemarkTesting`, so
/// that retries and schedules take no time. Change a copy to replace single services:
///
/// ```swift
/// var environment = SystemEnvironment.live
/// environment.now = { Date(timeIntervalSince1970: 1_700_000_000) }
/// environment.sleep = { _ in try Task.checkCancellation() }
/// ```
///
/// The name is not `Environment`, because SwiftUI exports a property wrapper of that name.
public struct SystemEnvironment: Sendable {
    /// Returns the current time.
    ///
    /// It dates runs and migrations, and determines when the lease of another process has expired
    /// and when a scheduled pull is due.
    public var now: @Sendable () -> Date

    /// Returns a new unique identifier, such as those of import sessions and leases.
    public var uuid: @Sendable () -> UUID

    /// Returns a random number in `0 ..< 1`, from which the delays between retries are computed.
    ///
    /// Randomness prevents many clients from repeating their requests at the same moment (jitter).
    public var random: @Sendable () -> Double

    /// Suspends the current task for a duration: before a retry, and until the next scheduled pull.
    ///
    /// It must throw `CancellationError` if the task is cancelled meanwhile; otherwise a cancelled
    /// pull waits for the end of the delay.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Returns the identity of the current process.
    package var process: @Sendable () -> ProcessIdentity

    /// Returns whether a process on this host is still running.
    ///
    /// It detects the lease of a process that crashed.
    package var isRunning: @Sendable (ProcessIdentity) -> Bool

    /// Returns what identifies the file at a path; nil if that is not known.
    package var fileIdentity: @Sendable (String) -> InodeIdentity?

    /// The folder in which Tidemark remembers what no copy of a store contains; nil without one.
    package var stateFolder: StateFolder?

    /// Creates an environment from the given functions.
    ///
    /// By default, `process` returns an empty identity, `isRunning` returns true, and there is no
    /// folder for the state of the user.
    package init(
        now: @escaping @Sendable () -> Date,
        uuid: @escaping @Sendable () -> UUID,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        process: @escaping @Sendable () -> ProcessIdentity = { ProcessIdentity() },
        isRunning: @escaping @Sendable (ProcessIdentity) -> Bool = { _ in true },
        fileIdentity: @escaping @Sendable (String) -> InodeIdentity? = { _ in nil },
        stateFolder: StateFolder? = nil
    ) {
        self.now = now
        self.uuid = uuid
        self.random = random
        self.sleep = sleep
        self.process = process
        self.isRunning = isRunning
        self.fileIdentity = fileIdentity
        self.stateFolder = stateFolder
    }
}

extension SystemEnvironment {
    /// Returns the time elapsed since a date.
    package func duration(since start: Date) -> Duration {
        .seconds(now().timeIntervalSince(start))
    }
}

/// The identity of a process, such as the one that holds the lease of a store.
///
/// The process ID alone is not sufficient, because the system reuses it.
///
/// ```swift
/// if let holder = try SyncStatus.of(store).running {
///     print("The lease is held by process \(holder.number) on \(holder.host).")
/// }
/// ```
public struct ProcessIdentity: Hashable, Sendable {
    /// The name of the host on which the process runs.
    public var host: String

    /// The process ID.
    public var number: Int64

    /// The start time of the process in a unit that depends on the host, or 0 if it is unknown.
    ///
    /// It is comparable only on the same host. Together with the process ID, it distinguishes a
    /// process from a later one with the same ID.
    public var started: Int64

    /// Creates the identity of a process.
    package init(host: String = "", number: Int64 = 0, started: Int64 = 0) {
        self.host = host
        self.number = number
        self.started = started
    }
}
