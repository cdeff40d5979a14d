import TidemarkModel

import struct Foundation.URL

/// The downloads that are running, which callers that request the same file share.
final class SharedDownloads: Sendable {
    private let running = Locked<[String: Shared]>([:])

    private struct Shared: Sendable {
        let task: Task<URL, any Error>
        var callers: Int
    }

    /// Waits for the download of a URL, and starts it unless it is running.
    ///
    /// A caller that is cancelled stops waiting. A download that no caller waits for is cancelled.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - download: Downloads the file.
    /// - Returns: The location of the file.
    /// - Throws: Errors that `download` throws; `CancellationError`.
    func file(
        for url: String,
        _ download: @escaping @Sendable () async throws -> URL
    ) async throws -> URL {
        let task = running.withLock { running in
            let task = running[url]?.task ?? Task { try await download() }
            running[url] = Shared(task: task, callers: (running[url]?.callers ?? 0) + 1)
            return task
        }
        defer { leave(url) }
        return try await task.resultUnlessCancelled().get()
    }

    private func leave(_ url: String) {
        running.withLock { running in
            guard var shared = running[url] else { return }
            shared.callers -= 1
            running[url] = shared.callers > 0 ? shared : nil
            if shared.callers == 0 { shared.task.cancel() }
        }
    }
}
