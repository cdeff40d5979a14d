import ArgumentParser

/// The arguments that specify the service of a verb.
protocol MirrorOrigin: ParsableArguments, Sendable {
    /// The configuration or the URL; nil for the usual one.
    var source: String? { get }

    /// Returns the header fields of requests to a URL.
    ///
    /// - Throws: ``Failure`` if one is malformed.
    func fields() throws -> HeaderFields
}
