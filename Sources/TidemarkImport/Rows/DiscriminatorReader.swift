import TidemarkModel

/// Which entity the objects of a list name, read from their bytes.
///
/// Most objects name the entity that the one before has named, so that its name is looked up once.
final class DiscriminatorReader {
    private let discriminator: Discriminator
    private let path: [[UInt8]]

    /// The name that was read last, and the entity's place in the layout.
    private var recent: (name: [UInt8], place: Int?)?

    init(_ discriminator: Discriminator) {
        self.discriminator = discriminator
        path = discriminator.path.split(separator: ".", omittingEmptySubsequences: false)
            .map { Array($0.utf8) }
    }

    /// The place in the layout of the entity that an object names; nil when it names none.
    func place(in node: JSONNode) -> Int? {
        guard let value = value(in: node), value.kind == .string else { return nil }
        let bytes = value.text
        if let recent, !value.isComplex, recent.name.elementsEqual(bytes) { return recent.place }
        let place = discriminator.place(named: value.string)
        if !value.isComplex { recent = (Array(bytes), place) }
        return place
    }

    /// The value that is to name the entity.
    private func value(in node: JSONNode) -> JSONNode? {
        path.reduce(node) { node, name in
            node.flatMap { node in name.withUnsafeBytes { node.member($0) } }
        }
    }
}
