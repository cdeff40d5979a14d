#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// Reads one stored property.
struct PropertyReader {
    let binding: PatternBindingSyntax

    /// The written type; nil if the initial value determines it.
    let type: TypeSyntax?

    let variable: VariableDeclSyntax
    let reader: EntityReader

    private var name: String { binding.pattern.trimmedDescription }

    private var isConstant: Bool { variable.bindingSpecifier.tokenKind == .keyword(.let) }

    /// Returns the property; nil after an error.
    func read() -> PropertyDeclaration? {
        let macros = variable.macros
        guard let written = writtenType(isRelationship: macros["Relationship"] != nil) else {
            return nil
        }
        var property = PropertyDeclaration(
            identifier: name,
            access: variable.modifiers.access,
            type: written.type,
            isOptional: written.isOptional,
            isConstant: isConstant,
            isFunction: type?.isFunction ?? false,
            initialValue: binding.initializer?.value.trimmedDescription,
            kind: kind(of: written, macros: macros)
        )
        property.facts.isKey = macros["PrimaryKey"] != nil
        property.facts.isUnique = macros["Unique"] != nil
        property.facts.isIndexed = macros["Indexed"] != nil
        property.facts.remoteKey = macros["RemoteKey"].flatMap { Arguments($0)[""] }
        let facts = macros["Attribute"] ?? macros["Relationship"]
        property.facts.arguments = facts.map(Arguments.init) ?? Arguments()
        property.isModelDefault =
            binding.initializer.map { $0.value.isConstant(of: written.type) } ?? false
        check(property, macros)
        return property
    }

    /// Returns the type that is written, or that a literal implies.
    private func writtenType(isRelationship: Bool) -> SourceType? {
        guard let type else {
            guard let literal = binding.initializer?.value.literalType else {
                reader.report(.missingType(name), at: binding.pattern)
                return nil
            }
            return SourceType(type: literal)
        }
        if type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            reader.report(.implicitlyUnwrapped(name), at: type)
            return nil
        }
        let written = SourceType(type)
        guard let correction = correction(of: written, isRelationship: isRelationship) else {
            return written
        }
        let fixIt = FixIt.replace(type, with: correction.type)
        reader.report(correction.problem, at: type, fixIts: [fixIt])
        return nil
    }

    private func correction(
        of written: SourceType,
        isRelationship: Bool
    ) -> (problem: EntityProblem, type: String)? {
        if let record = written.many, written.isOptional {
            return (.optionalList(name, of: record), "Many<\(record)>")
        }
        if let record = written.one, written.isOptional {
            return (.optionalLink(name, of: record), "One<\(record)>")
        }
        guard isRelationship, written.one == nil, written.many == nil else { return nil }
        if let element = written.element {
            return (.array(name, of: element), "Many<\(element)>")
        }
        return (.optionalRecord(name, of: written.type), "One<\(written.type)>")
    }

    private func kind(
        of written: SourceType,
        macros: [String: AttributeSyntax]
    ) -> PropertyDeclaration.Kind {
        if macros["Transient"] != nil { return .transient }
        if let record = written.one { return .one(record) }
        if let record = written.many { return .many(record) }
        return macros["JSON"] != nil ? .document : .attribute
    }
}

extension PropertyReader {
    private func check(_ property: PropertyDeclaration, _ macros: [String: AttributeSyntax]) {
        checkContradictions(macros)
        if property.kind == .transient || property.isTransientAttribute,
            property.initialValue == nil, !property.isOptional || isConstant
        {
            reader.report(.transientWithoutValue(name), at: binding.pattern)
        }
        if property.kind == .transient { return }
        if isConstant, property.initialValue != nil {
            reader.report(
                .constantWithValue(name),
                at: variable.bindingSpecifier,
                fixIts: [makeVariable]
            )
        }
        if property.destination != nil {
            checkRelationship(property, macros)
        } else if let macro = macros["PrimaryKey"], property.kind == .document {
            reader.report(.keyKind(name), at: macro)
        }
        checkRemoteKey(property, macros["RemoteKey"])
    }

    private func checkRelationship(
        _ property: PropertyDeclaration,
        _ macros: [String: AttributeSyntax]
    ) {
        if isConstant {
            let node = variable.bindingSpecifier
            reader.report(.constantRelationship(name), at: node, fixIts: [makeVariable])
        }
        for macro in ["Attribute", "JSON"] where macros["Relationship"] == nil {
            guard let node = macros[macro] else { continue }
            reader.report(.attributeFact(name, macro: macro), at: node)
        }
        if property.isToMany, let macro = macros["PrimaryKey"] {
            reader.report(.keyKind(name), at: macro)
        }
        let arguments = property.facts.arguments
        guard let node = macros["Relationship"] else { return }
        if !property.isToMany, let ordered = arguments["isOrdered"], ordered != "false" {
            reader.report(.orderedLink(name), at: node)
        }
        if let inverse = arguments["inverse"], inverse != "nil", !inverse.isPlainText {
            reader.report(.inverseNotAName(name), at: node)
        }
    }

    private func checkContradictions(_ macros: [String: AttributeSyntax]) {
        let rivals = [
            "Transient": [
                "PrimaryKey", "Unique", "Indexed", "RemoteKey", "JSON", "Attribute", "Relationship",
            ],
            "Relationship": ["Attribute", "JSON"],
        ]
        for (first, others) in rivals.sorted(by: { $0.key < $1.key }) where macros[first] != nil {
            for second in others {
                guard let node = macros[second] else { continue }
                reader.report(.contradiction(name, first: first, second: second), at: node)
            }
        }
    }

    private func checkRemoteKey(_ property: PropertyDeclaration, _ macro: AttributeSyntax?) {
        guard let macro, let key = property.facts.remoteKey, key.isPlainText else { return }
        let text = String(key.dropFirst().dropLast())
        guard text.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
            return
        }
        reader.report(.emptyRemoteKey(name, key: text), at: macro)
    }

    private var makeVariable: FixIt { .replace(variable.bindingSpecifier, with: "var") }
}

#endif
