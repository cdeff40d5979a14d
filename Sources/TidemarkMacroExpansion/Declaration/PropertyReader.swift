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
        guard let written = writtenType(macros) else {
            return nil
        }
        var property = PropertyDeclaration(
            identifier: name,
            access: variable.modifiers.access,
            writtenType: type?.trimmedDescription ?? written.type,
            type: written.type,
            isOptional: written.isOptional,
            isConstant: isConstant,
            isFunction: type?.isFunction ?? false,
            initialValue: binding.initializer?.value.trimmedDescription,
            kind: kind(of: written, macros: macros)
        )
        property.options.isKey = macros["PrimaryKey"] != nil
        property.options.isUnique = macros["Unique"] != nil
        property.options.isIndexed = macros["Indexed"] != nil
        property.options.remoteKey = macros["RemoteKey"].flatMap { Arguments($0)[""] }
        let macro = macros["Attribute"] ?? macros["Relationship"]
        property.options.arguments = macro.map(Arguments.init) ?? Arguments()
        property.isModelDefault =
            binding.initializer.map { $0.value.isConstant(of: written.type) } ?? false
        check(property, macros)
        return property
    }

    /// Returns the type that is written, or that a literal implies.
    private func writtenType(_ macros: [String: AttributeSyntax]) -> SourceType? {
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
        let isRelationship = macros["Relationship"] != nil
        if let correction = correction(of: written, isRelationship: isRelationship) {
            let fixIt = FixIt.replace(type, with: correction.type)
            reader.report(correction.problem, at: type, fixIts: [fixIt])
            return nil
        }
        if written.isCollection, macros["JSON"] == nil, macros["Transient"] == nil {
            reader.report(.collection(name), at: type, fixIts: [.insertJSON(before: variable)])
            return nil
        }
        return written
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
        if let flag = property.options.arguments["isTransient"], !["true", "false"].contains(flag),
            let macro = macros["Attribute"]
        {
            reader.report(.notALiteral(label: "isTransient"), at: macro)
        }
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
            reader.report(.attributeMacro(name, macro: macro), at: node)
        }
        if property.isToMany, let macro = macros["PrimaryKey"] {
            reader.report(.keyKind(name), at: macro)
        }
        let arguments = property.options.arguments
        guard let node = macros["Relationship"] else { return }
        if !property.isToMany, let ordered = arguments["isOrdered"], ordered != "false" {
            reader.report(.orderedLink(name), at: node)
        }
        if let inverse = arguments["inverse"], inverse != "nil", !inverse.isPlainText {
            reader.report(.inverseNotAName(name), at: node)
        }
    }

    private func checkContradictions(_ macros: [String: AttributeSyntax]) {
        let exclusive = [
            "Transient": [
                "PrimaryKey", "Unique", "Indexed", "RemoteKey", "JSON", "Attribute", "Relationship",
            ],
            "Relationship": ["Attribute", "JSON"],
        ]
        for (first, others) in exclusive.sorted(by: { $0.key < $1.key }) where macros[first] != nil
        {
            for second in others {
                guard let node = macros[second] else { continue }
                reader.report(.contradiction(name, first: first, second: second), at: node)
            }
        }
    }

    private func checkRemoteKey(_ property: PropertyDeclaration, _ macro: AttributeSyntax?) {
        guard let macro, let key = property.options.remoteKey, key.isPlainText else { return }
        let text = String(key.dropFirst().dropLast())
        guard text.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
            return
        }
        reader.report(.emptyRemoteKey(name, key: text), at: macro)
    }

    private var makeVariable: FixIt { .replace(variable.bindingSpecifier, with: "var") }
}

#endif
