import TidemarkJSON
import TidemarkModel

/// Statistics of the strings at one path of the samples.
struct TextStatistics: Sendable {
    var count = 0

    /// The number of dates, except those that are also numbers.
    var dates = 0
    var uuids = 0

    /// The number of web URLs: `http://…`, `https://…`.
    var addresses = 0

    /// The number of integers of at most 64 bits, without a plus sign or leading zeros.
    var wholes = 0

    /// The number of numbers of any kind.
    var numbers = 0

    /// The number of long identifiers, such as MongoDB's 24 hexadecimal digits.
    ///
    /// They rarely coincide by chance.
    var tokens = 0

    /// The number of URLs and absolute paths that may identify an object, such as `/api/films/1/`.
    var paths = 0

    /// The number of those whose last component is an integer.
    var numberedPaths = 0

    /// The number of strings that contain U+0000, which text in a store cannot contain.
    var unstorable = 0

    /// The paths before the last component of the URLs, without the host.
    private(set) var collections: Set<String> = []

    /// Whether there are too many different collections to identify an entity.
    private(set) var isScattered = false

    /// The maximum number of different collections.
    private static let collectionLimit = 8

    mutating func add(_ node: JSONNode) {
        guard node.isComplex else { return add(node.text) }
        var text = node.string
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    private mutating func add(_ text: UnsafeRawBufferPointer) {
        count += 1
        if text.contains(0) { unstorable += 1 }
        if Self.isWhole(text) { wholes += 1 }
        if DecimalNumber(text) != nil {
            numbers += 1
        } else if DateFormat.automatic.microseconds(from: text) != nil {
            dates += 1
        }
        if Self.isUUID(text) { uuids += 1 }
        if Self.isToken(text) { tokens += 1 }
        if Self.isAddress(text) { addresses += 1 }
        if let name = ResourcePath.lastComponent(text) {
            paths += 1
            if Self.isWhole(name) { numberedPaths += 1 }
            insert(ResourceCollection.path(of: text))
        }
    }

    mutating func merge(_ other: TextStatistics) {
        count += other.count
        dates += other.dates
        uuids += other.uuids
        addresses += other.addresses
        wholes += other.wholes
        numbers += other.numbers
        tokens += other.tokens
        paths += other.paths
        numberedPaths += other.numberedPaths
        unstorable += other.unstorable
        isScattered = isScattered || other.isScattered
        for collection in other.collections { insert(collection) }
        if isScattered { collections = [] }
    }

    private mutating func insert(_ collection: String?) {
        guard let collection, !isScattered else { return }
        collections.insert(collection)
        if collections.count > Self.collectionLimit {
            isScattered = true
            collections = []
        }
    }

    var type: AttributeType {
        if dates == count { return .date }
        if uuids == count { return .uuid }
        return addresses == count ? .uri : .string
    }

    // MARK: Single texts

    private static func isWhole(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = text.first == ASCII.minus ? text.dropFirst() : text[...]
        guard let first = digits.first, digits.count <= 19, digits.allSatisfy(ASCII.isDigit),
            first != ASCII.zero || digits.count == 1
        else { return false }
        return Int64(String(decoding: text, as: UTF8.self)) != nil
    }

    static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 36 else { return false }
        return text.enumerated().allSatisfy { offset, byte in
            [8, 13, 18, 23].contains(offset)
                ? byte == ASCII.minus : ASCII.hexadecimal(byte) < 16
        }
    }

    static func isToken(_ text: UnsafeRawBufferPointer) -> Bool {
        (16...64).contains(text.count) && text.contains(where: ASCII.isDigit)
            && text.allSatisfy {
                ASCII.isDigit($0) || ASCII.isLetter($0) || $0 == ASCII.minus || $0 == 0x5F
            }
    }

    private static func isAddress(_ text: UnsafeRawBufferPointer) -> Bool {
        let beginnings: [StaticString] = ["http://", "https://"]
        let isOfTheWeb = beginnings.contains { beginning in
            let length = beginning.utf8CodeUnitCount
            return text.count > length
                && UnsafeRawBufferPointer(rebasing: text[..<length]).equalsIgnoringCase(beginning)
        }
        return isOfTheWeb && text.allSatisfy { $0 > ASCII.space && $0 != 0x7F }
    }
}

/// The part of a URL that all objects of a list share.
enum ResourceCollection {
    /// The maximum length of a collection's path, in bytes.
    private static let lengthLimit = 300

    /// Returns the path without its last component: `/api/films` for `https://host/api/films/1/`.
    static func path(of text: UnsafeRawBufferPointer) -> String? {
        guard let name = ResourcePath.lastComponent(text), let start = text.baseAddress,
            let end = name.baseAddress
        else { return nil }
        return whole(UnsafeRawBufferPointer(rebasing: text[..<(end - start)]))
    }

    /// Returns the path of a list: `/api/films` for `https://host/api/films/?page=2`.
    static func path(ofList address: String) -> String? {
        var address = address
        return address.withUTF8 { bytes -> String? in
            let text = UnsafeRawBufferPointer(bytes)
            guard let name = ResourcePath.lastComponent(text), let start = text.baseAddress,
                let end = name.baseAddress
            else { return nil }
            return whole(UnsafeRawBufferPointer(rebasing: text[..<(end - start + name.count)]))
        }
    }

    /// Returns the path of a URL, without trailing slashes.
    private static func whole(_ text: UnsafeRawBufferPointer) -> String? {
        guard text.count <= lengthLimit else { return nil }
        var path = Substring(String(decoding: text, as: UTF8.self))
        if let scheme = path.range(of: "://") { path = path[scheme.upperBound...] }
        if path.hasPrefix("//") { path = path.dropFirst(2) }
        guard let slash = path.firstIndex(of: "/") else { return nil }
        path = path[slash...]
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}

extension Substring {
    /// Returns the range of the first occurrence of a string.
    fileprivate func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
