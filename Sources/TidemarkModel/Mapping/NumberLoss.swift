package import TidemarkJSON

/// What a number does not keep of the JSON value that it was converted from.
///
/// The conversion is correct, so that it is not a ``CoercionFailure``. But a service that writes
/// `"00501"` may mean an identifier, as postal codes are, which `501` is not.
package enum NumberLoss: Hashable, Sendable {
    /// Leading zeros, a plus sign or an exponent of a text, or the zeros after the point of an
    /// integer.
    case form
    /// Digits of an integer that a double cannot represent.
    case digits

    /// A sentence about the loss, and how to avoid it.
    package var sentence: String {
        switch self {
        case .form:
            "The number does not keep the form of the text, such as leading zeros. The type string "
                + "keeps it."
        case .digits:
            "A double does not keep all digits of the number. The types integer64 and decimal keep "
                + "them."
        }
    }
}

extension Coercion {
    /// The number of digits that every double keeps.
    private static let exactDigits = 15

    /// Compares a converted number with its JSON value.
    ///
    /// - Parameters:
    ///   - node: The value, which was converted without a failure.
    ///   - stored: The converted value.
    ///   - arena: Memory for its text.
    /// - Returns: What the number does not keep; nil if it keeps everything or the attribute
    ///   stores no numbers.
    package func loss(
        of node: JSONNode,
        storedAs stored: StoredValue,
        in arena: ValueArena
    ) -> NumberLoss? {
        guard isNumeric, !hasTransformer else { return nil }
        if case .null = stored { return nil }
        if let loss = loss(ofForm: node, in: arena) { return loss }
        let text = Scalar(node, in: arena).bytes
        guard type == .double, text.count > Self.exactDigits, case .real(let double) = stored,
            let number = DecimalNumber(text), number.isWhole
        else { return nil }
        return DecimalNumber("\(double)")?.isSame(as: number) == true ? nil : .digits
    }

    /// Compares the form of a text with that of its number.
    ///
    /// - Parameters:
    ///   - node: The value, which is converted without a failure.
    ///   - arena: Memory for its text.
    /// - Returns: ``NumberLoss/form`` if the number does not keep it; otherwise nil.
    package func loss(ofForm node: JSONNode, in arena: ValueArena) -> NumberLoss? {
        guard node.kind == .string, isNumeric, !hasTransformer else { return nil }
        let text = Scalar(node, in: arena).bytes
        // A key may be the last component of a URL.
        let number = DecimalNumber(text) == nil ? ResourcePath.lastComponent(text) ?? text : text
        return Self.isPlain(number, isWhole: type.isInteger) ? nil : .form
    }

    /// Returns whether a numeric text is written as numbers usually are: digits, optionally grouped
    /// by commas, without leading zeros; unless it has to be whole, with a fraction.
    private static func isPlain(_ text: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
        let digits = text.first == ASCII.minus ? text.dropFirst() : text[...]
        let integer = digits.prefix { ASCII.isDigit($0) || $0 == ASCII.comma }
        let rest = digits[integer.endIndex...]
        guard integer.count == 1 || integer.first != ASCII.zero else { return false }
        guard let point = rest.first else { return true }
        return !isWhole && point == ASCII.point && rest.dropFirst().allSatisfy(ASCII.isDigit)
    }

    /// Whether values are stored as numbers.
    package var isNumeric: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        case .boolean, .string, .date, .uuid, .uri, .binary, .json, .transformable: false
        }
    }
}
