import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The limits that the operating system sets for the process: open files (`ulimit -n`) and address
/// space (`ulimit -v`).
///
/// The event loops of the HTTP client trap if a descriptor cannot be opened, and Swift traps if
/// memory cannot be allocated. Therefore the limits are checked before the event loops are started:
/// the limit of open files is raised as far as the system allows, and if a limit is too low, the
/// command ends with an error message.
enum ProcessLimits {
    /// Checks that the limits permit a pull.
    ///
    /// - Parameter concurrency: The number of concurrent requests.
    /// - Throws: ``Failure`` if a limit is too low.
    static func expectEnough(concurrency: Int) throws {
        try expectFiles(concurrency)
        try expectMemory()
    }

    private static let processors = ProcessInfo.processInfo.activeProcessorCount

    // MARK: Open files

    private static func expectFiles(_ concurrency: Int) throws {
        var limit = rlimit()
        guard getrlimit(openFiles, &limit) == 0 else { return }
        // Three descriptors for each event loop, one for each connection, and those of the store,
        // its readers and the process itself. A pull has at most as many connections as lists.
        let connections = 2 * min(max(1, concurrency), 100)
        let needed = rlim_t(3 * processors + connections + 40)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = min(limit.rlim_max, needed)
        guard limit.rlim_cur >= needed, setrlimit(openFiles, &limit) == 0 else {
            throw Failure(
                .notAllowed,
                "This process may open \(limit.rlim_cur) files, and a pull needs \(needed). Raise the "
                    + "limit: ulimit -n \(needed)."
            )
        }
    }

    // MARK: Memory

    /// Lets all threads use one heap.
    ///
    /// The C library of Linux gives each thread a heap, whose free memory the others cannot use. A
    /// push hardly computes in parallel; the threads of a pull would wait for each other.
    static func shareHeap() {
        #if canImport(Glibc)
        // Swift's module of the library lacks `malloc.h`.
        guard let mallopt = dlsym(nil, "mallopt") else { return }
        let maximumOfHeaps: CInt = -8
        _ = unsafeBitCast(mallopt, to: (@convention(c) (CInt, CInt) -> CInt).self)(
            maximumOfHeaps,
            1
        )
        #endif
    }

    /// Checks the limit of the address space, which a process cannot raise again once it is
    /// lowered.
    private static func expectMemory() throws {
        var limit = rlimit()
        guard getrlimit(addressSpace, &limit) == 0 else { return }
        // Measured on two processors: with 586 MiB some pulls end with a failed allocation or hang;
        // with 683 MiB none does. Most of it is libraries, stacks and reserved pages. Each further
        // processor adds an event loop and a worker, with stacks of 8 MiB.
        let needed = rlim_t(704 + 16 * processors) << 20
        guard limit.rlim_cur < needed else { return }
        throw Failure(
            .notAllowed,
            "This process may use \(limit.rlim_cur >> 20) MiB of address space, and a pull needs "
                + "\(needed >> 20) MiB. Raise the limit: ulimit -v \(needed >> 10)."
        )
    }

    #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let addressSpace = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
    private static let openFiles = RLIMIT_NOFILE
    private static let addressSpace = RLIMIT_AS
    #endif
}
