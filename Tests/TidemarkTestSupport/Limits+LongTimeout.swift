package import TidemarkModel

extension Limits {
    /// The default limits, with an idle timeout of one hour.
    ///
    /// Sockets use real time. On a machine that runs hundreds of tests at once a request may exceed
    /// the default timeout, and its retry would change the requests that a test counts.
    package static var longTimeout: Limits {
        var limits = Limits()
        limits.http.idleTimeout = .seconds(3_600)
        return limits
    }
}
