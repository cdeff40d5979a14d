#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What Ctrl-C does: the process ends at once with status 130.
///
/// Nothing needs to be put in order. A transaction that is not committed was never there, and the
/// next command finds the store as the last commit left it.
enum Interruption {
    static func exitOnSignal() {
        signal(SIGINT) { _ in _exit(130) }
        signal(SIGTERM) { _ in _exit(143) }
        // A reader that goes away (`tidemark dump | head`) ends the command quietly.
        signal(SIGPIPE, SIG_DFL)
    }
}
