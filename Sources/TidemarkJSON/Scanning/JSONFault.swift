/// The reason why a scan stopped, and its offset.
///
/// Cheap to create: faults at the end of a window are often discarded after a refill, so the
/// message is formatted only when a ``JSONError`` is needed.
struct JSONFault: Error {
    var reason: Reason

    /// The offset in the scanned buffer.
    var offset: Int

    enum Reason: UInt8 {
        case value
        case name
        case colon
        case objectEnd
        case arrayEnd
        case depth
        case digit
        case leadingZero
        case control
        case escape
        case hexadecimal
        case surrogate
        case encoding
        case trailing
        case line
        case itemLength
        case itemTokens
        case textLength
        case memory
    }

    @inline(__always)
    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The maximum number of bytes after ``offset`` that the scanner may have read.
    ///
    /// A fault this close to the end of a window may vanish when more of the text is read.
    static let lookahead = 16

    /// Returns the error for the fault at a position in the whole text.
    func error(at position: JSONPosition, isAtEnd: Bool, limits: JSONLimits) -> JSONError {
        JSONError(
            isAtEnd && !isLimit ? "unexpected end of input" : message(limits),
            line: position.line,
            column: position.column,
            offset: position.offset
        )
    }

    /// Whether more text would not resolve it: a limit was exceeded, or memory is exhausted.
    var isLimit: Bool {
        switch reason {
        case .itemLength, .itemTokens, .textLength, .depth, .memory: true
        case .value, .name, .colon, .objectEnd, .arrayEnd, .digit, .leadingZero, .control, .escape,
            .hexadecimal, .surrogate, .encoding, .trailing, .line:
            false
        }
    }

    private func message(_ limits: JSONLimits) -> String {
        switch reason {
        case .value: "expected a value"
        case .name: "expected a name in quotation marks"
        case .colon: "expected a colon"
        case .objectEnd: "expected a comma or a closing brace"
        case .arrayEnd: "expected a comma or a closing bracket"
        case .depth: "nested deeper than \(limits.depth) levels"
        case .digit: "expected a digit"
        case .leadingZero: "a number cannot have leading zeros"
        case .control: "a control character in a string must be escaped"
        case .escape: "unknown escape in a string"
        case .hexadecimal: "expected four hexadecimal digits"
        case .surrogate: "half of a surrogate pair in a string"
        case .encoding: "not valid UTF-8"
        case .trailing: "expected the end of the input after the value"
        case .line: "expected an object: each line of JSON Lines must be one"
        case .memory: "out of memory: one item has too many values and member names"
        case .itemLength: "one item has more than \(limits.itemBytes) bytes"
        case .itemTokens:
            "one item has more than \(limits.itemTokens) values and member names"
        case .textLength: "the text has more than \(JSONDocument.longestText) bytes"
        }
    }
}
