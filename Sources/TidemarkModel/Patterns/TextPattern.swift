/// A compiled pattern that is matched against whole texts.
///
/// All alternatives are followed at the same time, without backtracking. The time is therefore at
/// most proportional to the product of the lengths of the text and the pattern, for any pattern.
package struct TextPattern: Sendable {
    private let steps: [PatternStep]
    private let folding: TextFolding

    /// The maximum number of steps of a pattern, with repetitions expanded.
    package static let longest = 5_000

    /// The maximum number of steps to execute for one text.
    package static let workLimit = 50_000_000

    package init(
        _ text: String,
        syntax: PatternSyntax,
        folding: TextFolding
    ) throws(PatternError) {
        let node: PatternNode
        switch syntax {
        case .wildcards: node = .wildcards(text, folding: folding)
        case .regularExpression:
            var parser = PatternParser(text, folding: folding)
            node = try parser.parse()
        }
        var compiler = PatternCompiler()
        steps = try compiler.steps(of: node)
        self.folding = folding
    }

    /// Returns whether the pattern matches the whole text.
    ///
    /// - Throws: ``PatternError`` if the match would exceed `workLimit` steps.
    package func matches(
        _ text: String,
        workLimit: Int = TextPattern.workLimit
    ) throws(PatternError) -> Bool {
        let scalars = Array(folding.fold(text).unicodeScalars)
        var current = StepSet(steps.count)
        var next = StepSet(steps.count)
        var work = 0
        follow(0, at: 0, in: scalars, into: &current)
        for offset in scalars.indices {
            work += current.members.count + 1
            guard work <= workLimit else {
                throw PatternError(message: "The text is too long for this pattern.")
            }
            next.removeAll()
            for step in current.members where steps[step].accepts(scalars[offset]) {
                follow(step + 1, at: offset + 1, in: scalars, into: &next)
            }
            swap(&current, &next)
            if current.members.isEmpty { return false }
        }
        return current.members.contains { steps[$0].isEnd }
    }

    /// Adds a step and all steps that are reachable from it without consuming a character.
    private func follow(
        _ first: Int,
        at offset: Int,
        in scalars: [Unicode.Scalar],
        into reached: inout StepSet
    ) {
        // A stack of its own: recursion could be as deep as the pattern is long.
        var open = [first]
        while let step = open.popLast() {
            guard reached.insert(step) else { continue }
            switch steps[step] {
            case .jump(let target): open.append(target)
            case .fork(let one, let other): open += [other, one]
            case .assertion(let assertion):
                if assertion.holds(at: offset, in: scalars) { open.append(step + 1) }
            case .scalar, .set, .end: break
            }
        }
    }
}

/// A set of steps that preserves the order of insertion.
private struct StepSet {
    private(set) var members: [Int] = []
    private var isMember: [Bool]

    init(_ count: Int) {
        isMember = Array(repeating: false, count: count)
    }

    mutating func insert(_ step: Int) -> Bool {
        guard !isMember[step] else { return false }
        isMember[step] = true
        members.append(step)
        return true
    }

    mutating func removeAll() {
        for step in members { isMember[step] = false }
        members.removeAll(keepingCapacity: true)
    }
}
