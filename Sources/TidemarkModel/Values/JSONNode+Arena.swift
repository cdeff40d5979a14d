import TidemarkJSON

extension JSONNode {
    /// Returns the JSON text without white space.
    ///
    /// The bytes are those of the document if it contains no white space, otherwise a copy in the
    /// arena.
    func compactText(in arena: ValueArena) -> UnsafeRawBufferPointer {
        let source = source
        var length = 0
        var runs = 0
        Self.eachRun(of: source) { run in
            length += run.count
            runs += 1
        }
        // Text without white space, as most services send it, is not copied.
        guard runs > 1 else { return source }
        let target = arena.allocate(length)
        var offset = 0
        Self.eachRun(of: source) { run in
            UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: run)
            offset += run.count
        }
        return UnsafeRawBufferPointer(target)
    }
}
