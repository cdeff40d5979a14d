#if Macros

import SwiftDiagnostics
import SwiftSyntax

/// Reads the declaration of a struct with `@Entity`, and collects what is wrong with it.
final class EntityReader {
    private let declaration: any DeclGroupSyntax
    private let attribute: AttributeSyntax
    private(set) var diagnostics: [Diagnostic] = []

    init(_ declaration: some DeclGroupSyntax, attribute: AttributeSyntax) {
        self.declaration = declaration
        self.attribute = attribute
    }

    /// Returns what is declared; nil after an error.
    func read() -> EntityDeclaration? {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            report(.notAStruct, at: attribute)
            return nil
        }
        if let parameters = structure.genericParameterClause { report(.generic, at: parameters) }
        if ["Properties", "Record"].contains(structure.name.identifierText) {
            report(.reservedType(structure.name.identifierText), at: structure.name)
        }
        var arguments = Arguments(attribute)
        let name = entityName(arguments, of: structure)
        arguments[""] = nil
        let members = structure.memberBlock.members
        let found = members.flatMap { properties(of: $0.decl) }
        checkNames(found)
        let entity = EntityDeclaration(
            type: structure.name.text,
            name: name,
            arguments: arguments,
            access: structure.modifiers.access,
            properties: found.map(\.declaration),
            hasInitializer: members.contains { $0.decl.is(InitializerDeclSyntax.self) },
            id: identity(
                found,
                of: members,
                declaresKey: arguments["parent"] != nil || arguments["primaryKey"] != nil
            )
        )
        if arguments["primaryKey"] != nil, entity.properties.contains(where: { $0.options.isKey }) {
            report(.twoKeys, at: attribute)
        }
        return diagnostics.contains { $0.diagMessage.severity == .error } ? nil : entity
    }

    func report(
        _ problem: EntityProblem,
        at node: some SyntaxProtocol,
        fixIts: [FixIt] = []
    ) {
        diagnostics.append(Diagnostic(node: node, message: problem, fixIts: fixIts))
    }

    private func entityName(_ arguments: Arguments, of structure: StructDeclSyntax) -> String {
        guard let name = arguments[""] else { return "\"\(structure.name.identifierText)\"" }
        if !name.isPlainText { report(.entityName, at: attribute) }
        return name
    }

    /// A property and where it is.
    private typealias Found = (declaration: PropertyDeclaration, node: PatternBindingSyntax)

    /// Returns the stored properties of a member; none for other members.
    private func properties(of member: DeclSyntax) -> [Found] {
        if let conditional = member.as(IfConfigDeclSyntax.self) {
            if conditional.hasStoredProperty { report(.conditional, at: conditional) }
            return []
        }
        guard let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isIgnored
        else { return [] }
        // `var a, b: Int` declares both as Int.
        var type: TypeSyntax?
        let bindings = variable.bindings.reversed().map { binding in
            if binding.initializer != nil || binding.typeAnnotation != nil {
                type = binding.typeAnnotation?.type
            }
            return (binding, type)
        }
        return bindings.reversed().compactMap { binding, type in
            guard !binding.isComputed else { return nil }
            guard binding.pattern.is(IdentifierPatternSyntax.self) else {
                report(.pattern, at: binding)
                return nil
            }
            let reader = PropertyReader(
                binding: binding,
                type: type,
                variable: variable,
                reader: self
            )
            return reader.read().map { ($0, binding) }
        }
    }

    private func checkNames(_ properties: [Found]) {
        var seen: [String: String] = [:]
        for (property, node) in properties {
            let name = property.name
            if name == "rowID" { report(.reserved(name), at: node.pattern) }
            guard property.kind != .transient else { continue }
            if !name.isColumnName { report(.invalidName(name), at: node.pattern) }
            if let other = seen.updateValue(name, forKey: name.lowercased()), other != name {
                report(.sameName(name, as: other), at: node.pattern)
            }
        }
    }

    private func identity(
        _ properties: [Found],
        of members: MemberBlockItemListSyntax,
        declaresKey: Bool
    ) -> EntityDeclaration.Identity {
        guard let (id, node) = properties.first(where: { $0.declaration.name == "id" }) else {
            return members.declaresID ? .declared : .rowID
        }
        guard id.isOptional, id.kind == .attribute else {
            return id.destination == nil && id.kind != .document ? .declared : .optional
        }
        // A parent's key is reported where it is declared.
        let isKeyDeclared =
            declaresKey || properties.contains { $0.declaration.options.isKey }
        if !isKeyDeclared {
            report(
                .optionalID(type: id.type),
                at: node.pattern,
                fixIts: [.replace(node.pattern, with: "remoteID")]
            )
        }
        return .optional
    }
}

#endif
