import TidemarkModel

extension FakeService {
    /// Returns the content of a file; nil if the service has none at the path.
    ///
    /// It is one that ``setFile(_:type:at:)`` has added, or that a client has uploaded: see
    /// ``FakeWrites/files``.
    ///
    /// ```swift
    /// print(fake.file(at: "media/cover.png")?.count ?? 0)
    /// ```
    ///
    /// - Parameter path: The path below the service's ``url``.
    /// - Returns: The bytes.
    public func file(at path: String) -> [UInt8]? { files[path]?.bytes }

    /// Adds or replaces a file, which is served with an entity tag and by ranges.
    ///
    /// ```swift
    /// fake.setFile([0x89, 0x50, 0x4E, 0x47], type: "image/png", at: "media/cover.png")
    /// let url = fake.url.appending(path: "media/cover.png")
    /// let file = try await engine.assets.file(for: url)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - type: The media type.
    ///   - path: The path below the service's ``url``.
    public func setFile(_ bytes: [UInt8], type: String, at path: String) {
        state.withLock { $0.contents.files[path] = FakeFile(bytes: bytes, type: type) }
    }

    /// All files, by their paths.
    package var files: [String: FakeFile] { contents.files }
}
