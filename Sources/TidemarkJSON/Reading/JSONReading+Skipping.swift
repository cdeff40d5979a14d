extension JSONReading {
    /// Moves along the key path to the items.
    func descend() throws {
        for (depth, name) in path.names.enumerated() {
            let first = try window.peek()
            let index = first == ASCII.openBracket ? JSONPath.index(name) : nil
            guard first == ASCII.openBrace || index != nil else {
                throw try notAnObject(depth)
            }
            guard depth < limits.depth else {
                throw window.error(JSONFault(.depth, at: window.position))
            }
            window.position += 1
            arrays.append(index != nil)
            if let index {
                try skipElements(index, depth: depth)
                continue
            }
            guard try window.peek() != ASCII.closeBrace else {
                throw JSONItemsError(.missing, at: path, depth: depth)
            }
            while try !isNextMember(name, depth: depth) {
                try skipValue(depth: depth + 1, at: path.prefix(depth).appending(memberName))
                guard try window.peek() != ASCII.closeBrace else {
                    throw JSONItemsError(.missing, at: path, depth: depth)
                }
                try window.expect(ASCII.comma, else: .objectEnd)
            }
        }
    }

    /// Moves to the end of the text and validates the members that follow.
    ///
    /// Elsewhere the last of several members with one name is used. Here the first has already been
    /// read, so a second one on the path is an error.
    func ascend() throws {
        for (depth, name) in path.names.enumerated().reversed() {
            if arrays[depth] {
                while try window.peek() == ASCII.comma {
                    window.position += 1
                    try skipValue(depth: depth + 1, at: path.prefix(depth).appending(""))
                }
                try window.expect(ASCII.closeBracket, else: .arrayEnd)
                continue
            }
            while try window.peek() == ASCII.comma {
                window.position += 1
                guard try !isNextMember(name, depth: depth) else {
                    throw JSONItemsError(.repeated, at: path, depth: depth)
                }
                try skipValue(depth: depth + 1, at: path.prefix(depth).appending(memberName))
            }
            try window.expect(ASCII.closeBrace, else: .objectEnd)
        }
    }

    /// Skips the elements of an array before the one at an index.
    private func skipElements(_ index: Int, depth: Int) throws {
        for _ in 0..<index {
            guard try window.peek() != ASCII.closeBracket else {
                throw JSONItemsError(.missing, at: path, depth: depth)
            }
            try skipValue(depth: depth + 1, at: path.prefix(depth).appending(""))
            guard try window.peek() != ASCII.closeBracket else {
                throw JSONItemsError(.missing, at: path, depth: depth)
            }
            try window.expect(ASCII.comma, else: .arrayEnd)
        }
        guard try window.peek() != ASCII.closeBracket else {
            throw JSONItemsError(.missing, at: path, depth: depth)
        }
    }

    private func notAnObject(_ depth: Int) throws -> JSONItemsError {
        if try window.peek() == ASCII.openBracket {
            return JSONItemsError(.notAnObject(.array), at: path, depth: depth)
        }
        try window.scan(with: &scanner, depth: depth)
        return JSONItemsError(.notAnObject(scanner.tape.base[0].kind), at: path, depth: depth)
    }

    /// Consumes a member's name and colon.
    ///
    /// Returns whether it is the given name.
    private func isNextMember(_ name: String, depth: Int) throws -> Bool {
        guard try window.peek() == ASCII.quote else {
            throw window.error(JSONFault(.name, at: window.position))
        }
        try window.scan(with: &scanner, depth: depth)
        var name = name
        let isEqual = name.withUTF8 { item.isString(UnsafeRawBufferPointer($0)) }
        if !rememberedPaths.isEmpty { memberName = item.string }
        try window.expect(ASCII.colon, else: .colon)
        return isEqual
    }

    /// An object or an array that is being skipped.
    private struct Open {
        let isObject: Bool
        /// The name of its member that is being skipped.
        var name = ""
    }

    /// Validates and consumes a value of any length.
    ///
    /// Holds at most one string or number of it at a time.
    private func skipValue(depth: Int, at path: JSONPath) throws {
        var open: [Open] = []
        repeat {
            if try remember(at: path, within: open, depth: depth) {
                try skipClosing(&open)
                continue
            }
            switch try window.peek() {
            case ASCII.openBrace: try skipOpening(&open, isObject: true, depth: depth)
            case ASCII.openBracket: try skipOpening(&open, isObject: false, depth: depth)
            default:
                try window.scan(with: &scanner, depth: depth + open.count)
                try skipClosing(&open)
            }
        } while !open.isEmpty
    }

    /// Consumes the next value and stores it if its path is to be remembered.
    ///
    /// - Returns: Whether the value was consumed.
    /// - Throws: ``JSONItemsError`` if the path already has a value: which of the two is meant is
    ///   unknown.
    private func remember(at start: JSONPath, within open: [Open], depth: Int) throws -> Bool {
        guard !rememberedPaths.isEmpty,
            start.names.count + open.count <= rememberedPaths.longest,
            open.allSatisfy(\.isObject)
        else { return false }
        let path = JSONPath(start.names + open.map(\.name))
        let first = try window.peek()
        guard
            rememberedPaths.all.contains(path)
                || remembered.count < RememberedPaths.members && first != ASCII.openBrace
                    && first != ASCII.openBracket && rememberedPaths.containsScalar(at: path)
        else { return false }
        guard first != ASCII.openBrace || !rememberedPaths.containers.contains(path) else {
            return false
        }
        guard remembered[path] == nil else {
            throw JSONItemsError(.repeated, at: path, depth: path.names.count - 1)
        }
        try window.scan(with: &scanner, depth: depth + open.count)
        let bytes = Array(item.source.prefix(Self.longestRemembered + 1))
        if bytes.count <= Self.longestRemembered {
            remembered[path] = try JSONDocument(bytes, limits: limits)
        } else if item.kind == .array || item.kind == .object {
            // An empty value of the same kind records that there is a value.
            let empty = item.kind == .array ? "[]" : "{}"
            remembered[path] = try JSONDocument(Array(empty.utf8))
        }
        return true
    }

    private static let longestRemembered = 64 << 10

    private func skipOpening(_ open: inout [Open], isObject: Bool, depth: Int) throws {
        guard depth + open.count < limits.depth else {
            throw window.error(JSONFault(.depth, at: window.position))
        }
        window.position += 1
        open.append(Open(isObject: isObject))
        if try window.peek() == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
            try skipClosing(&open)
        } else if isObject {
            try skipName(&open)
        }
    }

    /// Consumes what may follow a value: closing brackets, and a comma before the next value.
    private func skipClosing(_ open: inout [Open]) throws {
        while let last = open.last {
            if try window.peek() == ASCII.comma {
                window.position += 1
                if last.isObject { try skipName(&open) }
                return
            }
            try window.expect(
                last.isObject ? ASCII.closeBrace : ASCII.closeBracket,
                else: last.isObject ? .objectEnd : .arrayEnd
            )
            open.removeLast()
        }
    }

    private func skipName(_ open: inout [Open]) throws {
        _ = try isNextMember("", depth: 0)
        open[open.count - 1].name = memberName
    }
}
