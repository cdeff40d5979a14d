import Testing
import TidemarkModel
import TidemarkRemote

@testable import TidemarkURLSession

struct IdleTimeoutTests {
    private static var limits: Limits {
        var limits = Limits()
        limits.http.idleTimeout = .seconds(10)
        limits.http.responseTime = .seconds(60)
        return limits
    }

    /// The times at which data was received, the current time, and the expected state.
    ///
    /// The request starts at 100.
    static let cases: [(received: [Double], at: Double, IdleTimeout.State)] = [
        ([], 100, .running(10)), ([], 109, .running(1)), ([], 110, .expired(.data)),
        ([], 500, .expired(.response)),
        ([105], 110, .running(5)), ([105], 115, .expired(.data)),
        ([105, 114, 123], 130, .running(3)), ([105, 114, 123], 133, .expired(.data)),
        // Data restarts the idle timeout, but does not extend the total time.
        ([109, 118, 127, 136, 145, 154], 155, .running(5)),
        ([109, 118, 127, 136, 145, 154, 159], 160, .expired(.response)),
    ]

    @Test(arguments: cases)
    func `the idle timeout starts at the last data, the total time at the request`(
        _ received: [Double],
        _ now: Double,
        _ state: IdleTimeout.State
    ) {
        var timeout = IdleTimeout(Self.limits, at: 100)
        for moment in received { timeout.restart(at: moment) }
        #expect(timeout.state(at: now) == state)
    }
}
