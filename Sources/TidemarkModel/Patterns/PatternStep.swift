/// An instruction of a compiled pattern.
enum PatternStep: Sendable {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case jump(Int)
    case fork(Int, Int)
    case end

    var isEnd: Bool {
        guard case .end = self else { return false }
        return true
    }

    func accepts(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .scalar(let own): own == scalar
        case .set(let set): set.contains(scalar)
        case .assertion, .jump, .fork, .end: false
        }
    }
}

/// A condition on a position between two characters.
enum PatternAssertion: Sendable {
    case start
    case end
    /// The end of the text, or the position before a final line feed.
    case lastLine
    case wordBoundary
    case noWordBoundary

    func holds(at offset: Int, in scalars: [Unicode.Scalar]) -> Bool {
        switch self {
        case .start: offset == 0
        case .end: offset == scalars.count
        case .lastLine:
            offset == scalars.count || offset == scalars.count - 1 && scalars[offset] == "\n"
        case .wordBoundary: Self.isBoundary(offset, in: scalars)
        case .noWordBoundary: !Self.isBoundary(offset, in: scalars)
        }
    }

    private static func isBoundary(_ offset: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = offset > 0 && ScalarClass.word.contains(scalars[offset - 1])
        let after = offset < scalars.count && ScalarClass.word.contains(scalars[offset])
        return before != after
    }
}
