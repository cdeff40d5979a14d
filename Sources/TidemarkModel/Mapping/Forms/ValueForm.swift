package import TidemarkJSON

/// The form in which a service writes the values of one member.
///
/// A service may write a price as `12.5` or as `"12.50"`, a flag as `true` or as `1`, and a date in
/// many ways; some accept nothing else. A request therefore contains values in the form in which
/// the service's own objects have them. It is recognized by the values that are imported, and is
/// the finest of them: a value that it cannot express exactly is written in a finer one.
package enum ValueForm: Hashable, Sendable {
    /// A number: the value of a numeric attribute, a key, or a text that is always a number.
    case number

    /// A string: the value of a text attribute, or the key of an object.
    case text

    /// A number as a string, with at least so many digits after the point.
    case numberText(decimals: Int)

    /// A flag, as JSON text of the value true: `true`, `1`, `"1"`, `"true"`, `"Yes"`.
    case flag(String)

    /// A date.
    case date(DateForm)

    /// A reference that is the URL of its object.
    case url(ReferenceURL)

    /// A reference that is shown as an object, and accepted as a key under this name.
    case keyUnder(String)

    /// An object of which key paths lead to values; whether they lead to all of its members.
    case members(areMapped: Bool)

    /// How the URL of a referenced object is written.
    package struct ReferenceURL: Hashable, Sendable {
        /// Whether the URL consists of its path, without the scheme and the host.
        package var isPath: Bool

        /// Whether the path ends with a slash.
        package var hasSlash: Bool

        package init(isPath: Bool, hasSlash: Bool) {
            self.isPath = isPath
            self.hasSlash = hasSlash
        }
    }
}

/// A value as JSON.
package enum WrittenValue: Hashable, Sendable {
    /// A JSON string with this content.
    case string(String)

    /// JSON text, such as a number.
    case raw(String)
}

// MARK: Recognition

extension ValueForm {
    /// Recognizes the form of an attribute's value; nil for null, and for a type that is always
    /// written in the same way.
    ///
    /// - Parameters:
    ///   - node: The value, which was converted to the type before.
    ///   - type: The type of the attribute.
    package init?(of node: JSONNode, type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            switch node.kind {
            case .number: self = .number
            case .string: self = .numberText(decimals: node.withContent(Self.decimals))
            case .true, .false, .null, .object, .array: return nil
            }
        case .boolean:
            guard let sample = Self.flag(node) else { return nil }
            self = .flag(sample)
        case .date:
            guard node.kind == .string || node.kind == .number else { return nil }
            let form = node.withContent { DateForm(of: $0, isText: node.kind == .string) }
            guard let form else { return nil }
            self = .date(form)
        case .string:
            switch node.kind {
            case .number: self = .number
            case .string: self = .text
            case .true, .false, .null, .object, .array: return nil
            }
        case .uuid, .uri, .binary, .json, .transformable: return nil
        }
    }

    /// Recognizes the form of a reference by its scalar value; nil for any other value.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - isNumeric: Whether the key of the referenced object is a number, which may be the last
    ///     component of a URL.
    package init?(ofReference node: JSONNode, isNumeric: Bool) {
        switch node.kind {
        case .number: self = .number
        case .string:
            let url = isNumeric ? node.withContent(ReferenceURL.init) : nil
            self = url.map(ValueForm.url) ?? .text
        case .true, .false, .null, .object, .array: return nil
        }
    }

    /// Returns the number of digits after the point of a number.
    package static func decimals(of text: UnsafeRawBufferPointer) -> Int {
        guard let point = text.firstIndex(of: ASCII.point) else { return 0 }
        // Not those of an exponent.
        return text[(point + 1)...].prefix(while: ASCII.isDigit).count
    }

    /// Returns the JSON text of true in the form of a flag; nil for any other value.
    private static func flag(_ node: JSONNode) -> String? {
        switch node.kind {
        case .true, .false: return "true"
        case .number: return "1"
        case .string: break
        case .null, .object, .array: return nil
        }
        let text = node.string
        let word: String
        switch text.lowercased() {
        case "1", "0": return #""1""#
        case "true", "false": word = "true"
        case "yes", "no": word = "yes"
        default: return nil
        }
        if text == text.lowercased() { return "\"\(word)\"" }
        if text == text.uppercased() { return "\"\(word.uppercased())\"" }
        return "\"\(word.prefix(1).uppercased())\(word.dropFirst())\""
    }
}

extension ValueForm.ReferenceURL {
    /// Recognizes how a URL or an absolute path is written; nil for any other text.
    fileprivate init?(_ text: UnsafeRawBufferPointer) {
        guard ResourcePath.lastComponent(text) != nil else { return nil }
        let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        isPath = path.first == ASCII.slash && path.dropFirst().first != ASCII.slash
        hasSlash = path.last == ASCII.slash
    }
}

extension JSONNode {
    /// Calls a closure with the bytes of a string, with its escapes decoded, or of a number.
    fileprivate func withContent<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        guard kind == .string, isComplex else { return body(text) }
        var content = string
        return content.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

// MARK: Joining

extension ValueForm {
    /// Returns the form of both: the finest one.
    ///
    /// A service that writes some numbers as numbers and others as texts accepts numbers.
    ///
    /// - Parameter later: The form of a later value.
    /// - Returns: The form.
    package func joined(with later: ValueForm) -> ValueForm {
        switch (self, later) {
        case (.date(let one), .date(let other)): return .date(one.joined(with: other))
        case (.numberText(let one), .numberText(let other)):
            return .numberText(decimals: max(one, other))
        case (.members(let one), .members(let other)): return .members(areMapped: one && other)
        case (.flag(let one), .flag(let other)):
            return Self.rank(ofFlag: one) < Self.rank(ofFlag: other) ? self : later
        // A text that was once no number.
        case (.number, .text), (.text, .number): return .text
        case (.number, .numberText), (.number, .url): return self
        case (_, .keyUnder) where self != later: return self
        default: return later
        }
    }

    /// Returns the form in which an object is changed whose own value has this form.
    ///
    /// - Parameter stored: The form of all objects.
    /// - Returns: The form.
    package func outranking(_ stored: ValueForm) -> ValueForm {
        switch (self, stored) {
        case (.date(let own), .date(let stored)): .date(own.outranking(stored))
        case (.numberText, .numberText), (.members, .members): stored.joined(with: self)
        // A word is written as the service writes it elsewhere.
        case (.flag(let own), .flag(let other))
        where Self.rank(ofFlag: own) == Self.rank(ofFlag: other):
            stored
        default: self
        }
    }

    private static func rank(ofFlag sample: String) -> Int {
        switch sample {
        case "true": 0
        case "1": 1
        case #""1""#: 2
        default: 3
        }
    }
}

// MARK: Writing

extension ValueForm {
    /// Returns a value in this form, or in a finer one that expresses it exactly.
    ///
    /// - Returns: Nil if the value is written as values of its type usually are.
    package func written(_ value: Value) -> WrittenValue? {
        switch (self, value) {
        case (.number, .string(let text)): Self.isNumber(text) ? .raw(text) : nil
        case (.text, .integer(let number)): .string("\(number)")
        case (.text, .decimal(let text)): Self.plainDecimal(text).map { .string($0) }
        case (.numberText(let decimals), .integer(let number)):
            .string(Self.padded("\(number)", to: decimals))
        case (.numberText(let decimals), .decimal(let text)):
            Self.plainDecimal(text).map { .string(Self.padded($0, to: decimals)) }
        case (.numberText(let decimals), .double(let number)):
            DecimalNumber("\(number)")?.canonicalText
                .map { .string(Self.padded($0, to: decimals)) }
        case (.flag(let sample), .boolean(let flag)): Self.written(flag, like: sample)
        case (.date(let form), .date(let seconds)):
            DateFormat.microseconds(fromSeconds: seconds).map(form.written)
        default: nil
        }
    }

    /// Returns whether a text is a number of JSON that no reader changes.
    private static func isNumber(_ text: String) -> Bool {
        guard let number = DecimalNumber(text), !number.isGrouped,
            let first = text.utf8.first(where: { $0 != ASCII.minus }), ASCII.isDigit(first)
        else { return false }
        let digits = text.utf8.drop { $0 == ASCII.minus }
        let isPadded = first == ASCII.zero && digits.dropFirst().first.map(ASCII.isDigit) == true
        return !isPadded && !text.hasPrefix("--") && !text.utf8.contains(ASCII.plus)
    }

    /// Returns a decimal without an exponent and a plus sign; nil if the text is not one.
    ///
    /// Another program may have stored any text.
    package static func plainDecimal(_ text: String) -> String? {
        guard let number = DecimalNumber(text), !number.isGrouped else { return nil }
        let hasExponent = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        return isNumber(text) && !hasExponent ? text : number.canonicalText
    }

    private static func padded(_ number: String, to decimals: Int) -> String {
        guard decimals > 0 else { return number }
        let digits = number.utf8.firstIndex(of: ASCII.point)
            .map { number.utf8.distance(from: $0, to: number.utf8.endIndex) - 1 }
        let zeros = String(repeating: "0", count: max(0, decimals - (digits ?? 0)))
        return digits == nil ? "\(number).\(zeros)" : number + zeros
    }

    private static func written(_ flag: Bool, like sample: String) -> WrittenValue {
        let word = sample.filter { $0 != "\"" }
        let opposites = [
            "1": "0", "true": "false", "TRUE": "FALSE", "True": "False", "yes": "no", "YES": "NO",
            "Yes": "No",
        ]
        let text = flag ? word : opposites[word] ?? "false"
        return sample.hasPrefix("\"") ? .string(text) : .raw(text)
    }
}
