import Testing
import TidemarkModel

@testable import TidemarkURLSession

struct IdleTimeoutTests {
    private static var limits: Limits {
        var limits = Limits()
        limits.idleTimeout = .seconds(10)
        limits.answerTime = .seconds(60)
        return limits
    }

    /// The times at which data was received, the current time, and the expected verdict.
    ///
    /// The request starts at 100.
    static let cases: [(heard: [Double], at: Double, IdleTimeout.Verdict)] = [
        ([], 100, .wait(10)), ([], 109, .wait(1)), ([], 110, .silent), ([], 500, .late),
        ([105], 110, .wait(5)), ([105], 115, .silent),
        ([105, 114, 123], 130, .wait(3)), ([105, 114, 123], 133, .silent),
        // Data restarts the idle timeout, but does not extend the total time.
        ([109, 118, 127, 136, 145, 154], 155, .wait(5)),
        ([109, 118, 127, 136, 145, 154, 159], 160, .late),
    ]

    @Test(arguments: cases)
    func `the idle timeout starts at the last data, the total time at the request`(
        _ heard: [Double],
        _ now: Double,
        _ verdict: IdleTimeout.Verdict
    ) {
        var patience = IdleTimeout(Self.limits, at: 100)
        for moment in heard { patience.hear(at: moment) }
        #expect(patience.verdict(at: now) == verdict)
    }
}
