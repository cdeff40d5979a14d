import TidemarkJSON
import TidemarkModel

/// Statistics of the strings, numbers and Booleans at one path of the samples.
struct ScalarStatistics: Sendable {
    var booleans = 0
    var numbers = NumberStatistics()
    var texts = TextStatistics()

    /// The number of values.
    var count: Int { booleans + numbers.count + texts.count }

    /// Adds a value.
    ///
    /// Objects, arrays and null are ignored.
    mutating func add(_ node: JSONNode) {
        switch node.kind {
        case .true, .false: booleans += 1
        case .number: numbers.add(node)
        case .string: texts.add(node)
        case .object, .array, .null: break
        }
    }

    mutating func merge(_ other: ScalarStatistics) {
        booleans += other.booleans
        numbers.merge(other.numbers)
        texts.merge(other.texts)
    }

    /// The narrowest type that stores every value without loss; nil if there are no values.
    ///
    /// Values of several kinds become strings, since a string can represent any scalar.
    var type: AttributeType? {
        guard count > 0 else { return nil }
        guard texts.unstorable == 0 else { return .json }
        if booleans == count { return .boolean }
        if numbers.count == count { return numbers.type }
        return texts.count == count ? texts.type : .string
    }

    /// Returns whether every value can be converted to a key of the given type.
    func convert(toKey type: AttributeType) -> Bool {
        guard booleans == 0, texts.unstorable == 0, numbers.wholes == numbers.count else {
            return false
        }
        switch type {
        case .integer64: return texts.wholes + texts.numberedPaths == texts.count
        case .string: return true
        case .uuid: return numbers.count == 0 && texts.uuids == texts.count
        case .uri: return numbers.count == 0 && texts.addresses == texts.count
        case .integer16, .integer32, .decimal, .double, .float, .boolean, .date, .binary,
            .transformable, .json:
            return false
        }
    }
}

/// Statistics of the numbers at one path of the samples.
struct NumberStatistics: Sendable {
    var count = 0

    /// The number of integers: no fraction, no exponent, at most 64 bits.
    var wholes = 0

    /// The number of values that are unchanged when converted to a double and back.
    var doubles = 0

    /// The number of values whose digits and exponent fit into a decimal.
    var decimals = 0

    mutating func add(_ node: JSONNode) {
        count += 1
        if !node.isComplex, node.integer != nil { wholes += 1 }
        guard let number = DecimalNumber(node.text) else { return }
        if number.count <= DecimalNumber.longest, (-128...127).contains(number.exponent) {
            decimals += 1
        }
        if let double = node.double, DecimalNumber("\(double)")?.isSame(as: number) == true {
            doubles += 1
        }
    }

    mutating func merge(_ other: NumberStatistics) {
        count += other.count
        wholes += other.wholes
        doubles += other.doubles
        decimals += other.decimals
    }

    var type: AttributeType {
        if wholes == count { return .integer64 }
        if doubles == count { return .double }
        return decimals == count ? .decimal : .json
    }
}
