public import protocol Foundation.LocalizedError

/// The failure of some or all resources of a pull.
///
/// ``SyncEngine/pull(with:)`` throws it if no page of any resource could be read: the device is
/// offline, the service is down, or it rejects the credentials. ``SyncReport/get()`` throws it if
/// any resource failed. Pages that were imported before a failure stay in the store, rows that a
/// failed list has not contained so far are kept, and the next pull resumes.
///
/// ```swift
/// do {
///     let report = try await engine.pull()
///     print(report)
/// } catch let failure as SyncFailure {
///     // The service is offline, or rejects the credentials.
///     for (path, error) in failure.errors { print(path, error) }
/// }
/// ```
public struct SyncFailure: Error, Sendable, CustomStringConvertible {
    /// What the pull did before it failed, resource by resource.
    ///
    /// Use it to show what was synced nevertheless, such as the rows of the resources that did not
    /// fail.
    public let report: SyncReport

    /// The errors of the failed resources, by path.
    ///
    /// Most are of the type `RemoteError`, whose `code` and `status` distinguish a missing network
    /// from rejected credentials.
    ///
    /// <!-- example: func signIn() {} -->
    /// ```swift
    /// let statuses = failure.errors.values.compactMap { ($0 as? RemoteError)?.status }
    /// if statuses.contains(401) { signIn() }
    /// ```
    public var errors: [String: any Error] { report.resources.compactMapValues(\.failure) }

    /// Creates the failure of the failed resources in a report.
    package init(_ report: SyncReport) {
        self.report = report
    }

    /// The failed resources and their errors, one per line, sorted by path.
    public var description: String {
        let lines = errors.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let count = report.resources.count
        let all = count == 1 ? "The resource" : "\(lines.count) of \(count) resources"
        return (["\(all) could not be pulled."] + lines).joined(separator: "\n")
    }
}

extension SyncFailure: LocalizedError {
    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
