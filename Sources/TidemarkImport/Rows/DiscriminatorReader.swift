import TidemarkJSON
import TidemarkModel

/// Reads the entity that objects of a list name.
///
/// Most objects name the same entity as the previous object. Its name is then compared as bytes,
/// without a lookup.
final class DiscriminatorReader {
    private let discriminator: Discriminator
    private let path: JSONPath

    /// The most recent name, and the index of its entity in the layout.
    private var recent: (name: [UInt8], index: Int?)?

    init(_ discriminator: Discriminator) {
        self.discriminator = discriminator
        path = JSONPath(discriminator.path)
    }

    /// Returns the index in the layout of the entity that an object names; nil if it names none.
    func index(in node: JSONNode) -> Int? {
        guard let value = node.node(at: path), value.kind == .string else { return nil }
        let bytes = value.text
        if let recent, !value.isComplex, recent.name.elementsEqual(bytes) { return recent.index }
        let index = discriminator.index(named: value.string)
        if !value.isComplex { recent = (Array(bytes), index) }
        return index
    }
}
