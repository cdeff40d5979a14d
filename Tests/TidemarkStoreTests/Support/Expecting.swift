import Testing

/// Expects a text, and prints both texts if they differ.
func expect(
    _ actual: String,
    is expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
