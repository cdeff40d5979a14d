/// What is counted in a file, and what rules limit.
extension SourceFile {
    /// The numbers of the lines that contain code or literals.
    var codeLines: [Int] {
        lines.indices.filter { lines[$0].contains { $0 != " " } && !isComment($0) }
    }

    /// The numbers of the lines that say why: comments that are neither documentation nor for
    /// tools.
    var reasons: [Int] {
        lines.indices.filter { number in
            let text = trimmed(number)
            return isComment(number) && text.hasPrefix("//")
                && !["///", "// MARK", "// swift-format-ignore"].contains { text.hasPrefix($0) }
        }
    }

    /// The functions with two or more unlabelled parameters.
    var unlabelled: [Declaration] { outline.functions.filter { $0.unlabelled.count > 1 } }

    /// The structs, classes, enums, actors and protocols.
    var types: [Declaration] { outline.types.filter { $0.keyword != "typealias" } }

    var publicTypes: [Declaration] { types.filter(\.isPublic) }

    /// Returns the instance properties of a type that have storage.
    func storedProperties(of type: Declaration) -> [Declaration] {
        outline.declarations.filter { property in
            property.isStored && !property.modifiers.contains("static")
                && outline.type(around: property)?.line == type.line
        }
    }

    /// The public declarations with the requirements of public protocols and the cases of public
    /// enums, without extensions.
    var publicDeclarations: [Declaration] {
        outline.declarations.filter { declaration in
            let owner = outline.type(around: declaration)
            let isImplied =
                owner?.isPublic == true
                && (owner?.keyword == "protocol" || declaration.keyword == "case")
            let isLocal = declaration.owner != nil && owner == nil
            return declaration.keyword != "extension" && !isLocal
                && (declaration.isPublic || isImplied)
        }
    }

    /// Returns the documentation comment of a declaration.
    func documentation(of declaration: Declaration) -> ArraySlice<String> {
        var first = declaration.start
        while first > 0, trimmed(first - 1).hasPrefix("///") { first -= 1 }
        return lines[first..<declaration.start]
    }

    private func isComment(_ number: Int) -> Bool {
        comments[number].drop { $0 == " " } == trimmed(number) && !trimmed(number).isEmpty
    }

    private func trimmed(_ number: Int) -> Substring { lines[number].drop { $0 == " " } }
}
