import TidemarkModel

extension PredicateTyping {
    /// Resolves an operand that is compared with the end of a key path.
    func operand(
        _ operand: PredicateOperand,
        like other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        if let path = try path(of: operand) {
            return try pathOperand(path, at: operand.location, like: other)
        }
        guard case .literal(let literal) = operand.content else {
            throw PredicateFault("A value is expected here", at: operand.location)
        }
        if literal == .null { return TypedOperand(kind: other.kind, content: .value(.null)) }
        guard let attribute = other.attribute else {
            return try row(literal, at: operand.location, of: other)
        }
        let value = try converted(literal.value, to: attribute, like: other, at: operand.location)
        return TypedOperand(kind: other.kind, content: .value(value))
    }

    private func pathOperand(
        _ path: ResolvedPath,
        at location: TextLocation,
        like other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        guard path.collection.isEmpty else {
            throw PredicateFault(
                "A to-many relationship is allowed before the operator only",
                at: location,
                hint: "Turn the comparison around."
            )
        }
        guard path.kind.isComparable(with: other.kind) else {
            throw PredicateFault(
                "\(path.shown) is \(path.shownKind), \(other.shown) is \(other.shownKind): "
                    + "they cannot be compared exactly",
                at: location
            )
        }
        return path.operand(from: path.origin)
    }

    private func converted(
        _ value: Value,
        to attribute: Attribute,
        like other: ResolvedPath,
        at location: TextLocation
    ) throws(PredicateFault) -> Value {
        var attribute = attribute
        // If a path is compared as text, the default may not convert to its type, and Coercion(_:)
        // throws.
        attribute.defaultValue = nil
        do {
            return try Coercion(attribute).coerce(value)
        } catch let failure as CoercionFailure {
            throw PredicateFault(
                "\(other.shown) is \(other.shownKind): \(failure.sentence())",
                at: location
            )
        } catch {
            throw PredicateFault("\(other.shown) cannot be compared: \(error)", at: location)
        }
    }

    // MARK: Rows

    /// Resolves a row from its primary key, or from a locator such as `User:6` or `User#12`.
    private func row(
        _ literal: PredicateLiteral,
        at location: TextLocation,
        of other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        let text: String
        switch literal {
        case .text(let content): text = content
        case .number(let digits): text = digits
        case .null, .boolean, .value:
            throw PredicateFault(
                "\(other.shown) is a row, and this names none",
                at: location,
                hint: Self.rowHint(other.entity)
            )
        }
        do {
            let locator = try locator(text)
            let entity = try locator.map { try layout.entity($0.entity) } ?? other.entity
            guard entity.table == other.entity.table else {
                throw PredicateFault(
                    "\(other.shown) leads to \(other.entity.name), not to \(entity.name)",
                    at: location
                )
            }
            let content: TypedOperand.Content
            switch locator?.identifier {
            case .number(let number): content = .row(entity, .number(number))
            case .key(let key): content = .row(entity, .key(try Self.key(key, of: entity)))
            case nil: content = .row(entity, .key(try Self.key(.text(text), of: entity)))
            }
            return TypedOperand(kind: other.kind, content: content)
        } catch let fault as PredicateFault {
            throw fault
        } catch let error as StoreError {
            throw PredicateFault(error.message, at: location, hint: error.hint)
        } catch {
            throw PredicateFault("\(error)", at: location)
        }
    }

    /// Parses a locator; nil if the text is only a primary key, which may contain `:` as well.
    private func locator(_ text: String) throws -> RecordLocator? {
        let entity = text.prefix { $0 != ":" && $0 != "#" }
        guard entity.count < text.count, layout.index(of: String(entity)) != nil else {
            return nil
        }
        return try RecordLocator(text)
    }

    private static func key(
        _ key: RecordLocator.Key,
        of entity: EntityLayout
    ) throws -> RecordKey {
        guard !entity.key.isEmpty else {
            throw StoreError(
                .invalidLocator,
                "\(entity.name) has no primary key, so this names no row.",
                hint: rowHint(entity)
            )
        }
        return try entity.recordKey(key)
    }

    private static func rowHint(_ entity: EntityLayout) -> String {
        entity.key.isEmpty
            ? "Name a row by its number: \"\(entity.name)#1\"."
            : "Name a row by its key, or as \"\(entity.name)#1\"."
    }
}
