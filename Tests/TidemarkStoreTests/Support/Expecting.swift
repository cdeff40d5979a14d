import Testing

/// Expects a text, and shows both when it is another.
func expect(
    _ actual: String,
    is expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
