import TidemarkJSON
import TidemarkModel

/// The link of an object to itself, in a member that contains the object's links.
///
/// It identifies the objects of services that leave their ids out of bodies, such as those built
/// with Spring Data REST.
///
/// Source: JSON Hypertext Application Language (HAL), “_links”; RFC 4287, “self”.
struct SelfLink {
    /// The key path of the link.
    let path: String

    /// The URL.
    let value: JSONNode

    /// The members that contain links, or the URL itself.
    static let containers: Set<String> = ["_links", "links", "@links", "meta", "self"]

    /// Finds the link in the value of a member, or nil if it has none.
    ///
    /// It is `_links.self.href`, `_links.self`, `self.href` or `meta.href`.
    init?(in links: JSONNode, under name: JSONNode) {
        let name = name.string
        switch name {
        case "self", "meta":
            guard let link = links.member("href"), link.kind == .string else { return nil }
            (path, value) = ("\(name).href", link)
        case "_links", "links", "@links":
            guard let link = links.member("self") else { return nil }
            if link.kind == .string {
                (path, value) = ("\(name).self", link)
            } else if link.kind == .object, let url = link.member("href"), url.kind == .string {
                (path, value) = ("\(name).self.href", url)
            } else {
                return nil
            }
        default:
            return nil
        }
    }

    /// The hash that distinguishes the URL from those of other objects.
    ///
    /// Of a URL that ends in a number, only the number is stored. Others may differ in any part:
    /// `/orders/a/item`, `/orders?name=a`.
    var hash: UInt64 {
        var text = value.string
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let number = ResourcePath.lastComponent(bytes).flatMap(DecimalNumber.init)
            let isNumbered = number?.isWhole == true
            return isNumbered ? StableHash.ofKey(value) ?? 0 : StableHash.of(bytes)
        }
    }
}
