package import Testing

/// Expects that two texts are equal, and shows both if they differ.
package func expect(
    _ actual: String,
    is expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
