package import TidemarkModel

extension Limits {
    /// The usual limits, but that a service may be silent for an hour.
    ///
    /// Time on sockets is real time. A machine that runs hundreds of tests at once may be slow, and
    /// a request that is given up and sent again is another than the test is about.
    package static var patient: Limits {
        var limits = Limits()
        limits.idleTimeout = .seconds(3_600)
        return limits
    }
}
