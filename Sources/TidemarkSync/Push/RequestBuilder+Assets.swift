import TidemarkStore

extension RequestBuilder {
    /// Returns whether a body contains the URL of a file that only this device has.
    ///
    /// The row may have been edited after its files were uploaded, and those of objects that are
    /// embedded in a row are not uploaded.
    func hasLocalFile(_ body: [UInt8]) -> Bool {
        guard reader.layout.entities.contains(where: { $0.attributes.contains(where: \.isAsset) })
        else { return false }
        let scheme = Array("\"\(AssetName.scheme):".utf8)
        var rest = body[...]
        while let start = rest.firstIndex(of: scheme[0]) {
            rest = rest[start...]
            if rest.starts(with: scheme) {
                let text = rest.dropFirst().prefix { $0 != scheme[0] }
                if AssetName(reference: String(decoding: text, as: UTF8.self)) != nil {
                    return true
                }
            }
            rest = rest.dropFirst()
        }
        return false
    }
}
