import TidemarkJSON

extension DecimalNumber {
    /// Returns the number as an integer.
    ///
    /// - Throws: ``CoercionFailure`` if it has a fraction or does not fit into 64 bits.
    func wholeNumber() throws(CoercionFailure) -> Int64 {
        guard let integer else { throw isWhole ? .outOfRange(.integer64) : .notAWholeNumber }
        return integer
    }

    /// Returns the canonical text: without an exponent, without insignificant zeros, and without a
    /// sign for zero.
    ///
    /// - Throws: ``CoercionFailure`` if it has more than 38 digits, or an exponent outside of
    ///   −128…127.
    func canonical(in arena: ValueArena) throws(CoercionFailure) -> UnsafeRawBufferPointer {
        guard count <= Self.longest else { throw .tooManyDigits }
        guard Self.exponents.contains(exponent) else { throw .outOfRange(.decimal) }
        let buffer = arena.allocate(Self.canonicalCapacity)
        return arena.trim(buffer, to: writeCanonical(to: buffer))
    }
}
