extension JSONScan {
    /// Scans the number that begins at the cursor (RFC 8259, section 6).
    @inline(__always)
    mutating func number() throws(JSONFault) {
        var end = cursor
        if end.pointee == ASCII.minus { end += 1 }
        if end.pointee == ASCII.zero {
            end += 1
            if ASCII.isDigit(end.pointee) { throw JSONFault(.leadingZero, at: end - text) }
        } else {
            end = try afterDigits(end)
        }
        var isComplex = false
        if end.pointee == ASCII.point {
            isComplex = true
            end = try afterDigits(end + 1)
        }
        if end.pointee | 0x20 == 0x65 {  // e, E
            isComplex = true
            end += 1
            if end.pointee == ASCII.plus || end.pointee == ASCII.minus { end += 1 }
            end = try afterDigits(end)
        }
        append(.number, length: end - cursor, isComplex: isComplex)
    }

    /// Returns the position after one or more digits.
    @inline(__always)
    private func afterDigits(
        _ start: UnsafePointer<UInt8>
    ) throws(JSONFault) -> UnsafePointer<UInt8> {
        guard ASCII.isDigit(start.pointee) else { throw JSONFault(.digit, at: start - text) }
        var end = start + 1
        while ASCII.isDigit(end.pointee) { end += 1 }
        return end
    }
}
