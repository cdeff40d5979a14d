/// The syntax tree of a pattern.
indirect enum PatternNode {
    case scalars([Unicode.Scalar])
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case choice([PatternNode])
    case repeated(PatternNode, Int, upTo: Int?)

    /// Returns the pattern for text with the wildcards `*` and `?`, and `\` as escape character.
    static func wildcards(_ text: String, folding: TextFolding) -> PatternNode {
        var nodes: [PatternNode] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                nodes.append(.literal(scalar, folding: folding))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": nodes.append(.repeated(.set(.everything), 0, upTo: nil))
            case "?": nodes.append(.set(.everything))
            default: nodes.append(.literal(scalar, folding: folding))
            }
        }
        if isEscaped { nodes.append(.literal("\\", folding: folding)) }
        return .sequence(nodes)
    }

    /// Returns a pattern for a character, in the form that it has in folded text.
    static func literal(_ scalar: Unicode.Scalar, folding: TextFolding) -> PatternNode {
        .scalars(Array(folding.fold(String(scalar)).unicodeScalars))
    }
}

/// A compiler that turns a pattern into a list of steps.
struct PatternCompiler {
    private var steps: [PatternStep] = []

    /// The number of nodes compiled so far, including empty ones: a repetition of an empty node
    /// adds no steps but takes time.
    private var nodes = 0

    mutating func steps(of node: PatternNode) throws(PatternError) -> [PatternStep] {
        try write(node)
        try append(.end)
        return steps
    }

    private mutating func append(_ step: PatternStep) throws(PatternError) {
        guard steps.count < TextPattern.longest else { throw Self.tooLong }
        steps.append(step)
    }

    private static let tooLong = PatternError(
        message: "It has more than \(TextPattern.longest) steps, repetitions written out."
    )

    private mutating func write(_ node: PatternNode) throws(PatternError) {
        nodes += 1
        guard nodes <= 4 * TextPattern.longest else { throw Self.tooLong }
        switch node {
        case .scalars(let scalars):
            for scalar in scalars { try append(.scalar(scalar)) }
        case .set(let set): try append(.set(set))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .sequence(let parts):
            for part in parts { try write(part) }
        case .choice(let parts): try write(choice: parts[...])
        case .repeated(let part, let least, let most):
            for _ in 0..<least { try write(part) }
            guard let most else { return try write(loop: part) }
            for _ in 0..<max(0, most - least) { try write(optional: part) }
        }
    }

    private mutating func write(choice parts: ArraySlice<PatternNode>) throws(PatternError) {
        var ends: [Int] = []
        for part in parts.dropLast() {
            let fork = steps.count
            // Placeholders for the fork and the jump, whose targets are known only after the parts.
            try append(.end)
            try write(part)
            ends.append(steps.count)
            try append(.end)
            steps[fork] = .fork(fork + 1, steps.count)
        }
        if let last = parts.last { try write(last) }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func write(loop part: PatternNode) throws(PatternError) {
        let fork = steps.count
        try append(.end)
        try write(part)
        try append(.jump(fork))
        steps[fork] = .fork(fork + 1, steps.count)
    }

    private mutating func write(optional part: PatternNode) throws(PatternError) {
        let fork = steps.count
        try append(.end)
        try write(part)
        steps[fork] = .fork(fork + 1, steps.count)
    }
}
