import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many files the process may have open (`ulimit -n`).
///
/// The event loops of the HTTP client trap where a descriptor cannot be had. So the limit is looked
/// at before they are started: it is raised as far as the system allows, and where that is too
/// little, the command ends with a sentence.
enum OpenFileLimit {
    /// Makes sure that a pull can open what it needs.
    ///
    /// - Parameter concurrency: How many requests are under way at a time.
    /// - Throws: ``Failure`` where fewer files may be opened than are needed.
    static func expectEnough(concurrency: Int) throws {
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return }
        let needed = needed(concurrency)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(limit.rlim_max, needed)
        guard limit.rlim_cur >= needed, setrlimit(kind, &limit) == 0 else {
            throw Failure(
                .notAllowed,
                "This process may open \(limit.rlim_cur) files, and a pull needs \(needed). Raise the "
                    + "limit: ulimit -n \(needed)."
            )
        }
    }

    /// Three descriptors for each event loop, one for each connection, and those of the store, its
    /// readers and the process itself.
    private static func needed(_ concurrency: Int) -> rlim_t {
        let loops = 3 * ProcessInfo.processInfo.activeProcessorCount
        // A pull has as many connections as it has lists, at most.
        let connections = 2 * min(max(1, concurrency), 100)
        return rlim_t(loops + connections + base)
    }

    private static let base = 40

    #if canImport(Glibc)
    private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let kind = RLIMIT_NOFILE
    #endif
}
