import Testing

@testable import TidemarkSync

/// The names of files, which are the only part of a path that a row or a service determines.
struct AssetNameTests {
    private static let digest = String(repeating: "0a", count: 32)

    @Test(arguments: [
        "", "tidemark-asset:", "tidemark-asset:../../etc/passwd", "tidemark-asset:\(digest)",
        "tidemark-asset:\(digest).", "tidemark-asset:\(digest).png/../x",
        "tidemark-asset:\(digest).sh", "tidemark-asset:\(digest).png.png",
        "tidemark-asset:\(digest.uppercased()).png", "tidemark-asset:\(digest.dropLast()).png",
        "tidemark-asset://\(digest).png", "file:///\(digest).png",
        "https://a.example/\(digest).png",
        "tidemark-asset:\(digest.dropLast(2))..png", "tidemark-asset:\(digest.dropLast())é.png",
    ])
    func `a text that names no file of the folder is rejected`(text: String) {
        #expect(AssetName(reference: text) == nil)
    }

    @Test(arguments: [
        ("image/png", "png"), ("IMAGE/JPEG; q=1", "jpg"), ("text/../../x", "bin"), (nil, "bin"),
    ])
    func `the extension is one of a list`(type: String?, suffix: String) {
        let name = AssetName(digest: Self.digest, type: type)
        #expect(name.fileName == "\(Self.digest).\(suffix)")
        #expect(AssetName(reference: name.reference) == name)
    }
}
