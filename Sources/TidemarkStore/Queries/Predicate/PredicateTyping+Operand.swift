import TidemarkModel

extension PredicateTyping {
    /// Resolves an operand that is compared with the end of a key path.
    func operand(
        _ operand: PredicateOperand,
        like other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        if let path = try path(of: operand) {
            return try pathOperand(path, operand.place, like: other)
        }
        guard case .literal(let literal) = operand.content else {
            throw PredicateFault("A value is expected here", operand.place)
        }
        if literal == .null { return TypedOperand(kind: other.kind, content: .value(.null)) }
        guard let attribute = other.attribute else {
            return try row(literal, operand.place, of: other)
        }
        let value = try converted(literal.value, attribute, other, operand.place)
        return TypedOperand(kind: other.kind, content: .value(value))
    }

    private func pathOperand(
        _ path: ResolvedPath,
        _ place: TextPlace,
        like other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        guard path.collection.isEmpty else {
            throw PredicateFault(
                "A to-many relationship is allowed before the operator only",
                place,
                hint: "Turn the comparison around."
            )
        }
        guard path.kind.isComparable(with: other.kind) else {
            throw PredicateFault(
                "\(path.shown) is \(path.shownKind), \(other.shown) is \(other.shownKind): "
                    + "they cannot be compared exactly",
                place
            )
        }
        return path.operand(.row)
    }

    private func converted(
        _ value: Value,
        _ attribute: Attribute,
        _ other: ResolvedPath,
        _ place: TextPlace
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
                place
            )
        } catch {
            throw PredicateFault("\(other.shown) cannot be compared: \(error)", place)
        }
    }

    // MARK: Rows

    /// Resolves a row from its primary key, or from a locator such as `User:6` or `User#12`.
    private func row(
        _ literal: PredicateLiteral,
        _ place: TextPlace,
        of other: ResolvedPath
    ) throws(PredicateFault) -> TypedOperand {
        let text: String
        switch literal {
        case .text(let content): text = content
        case .number(let digits): text = digits
        case .null, .boolean, .value:
            throw PredicateFault(
                "\(other.shown) is a row, and this names none",
                place,
                hint: Self.rowHint(other.entity)
            )
        }
        do {
            let name = try named(text)
            let entity = try name.map { try layout.entity($0.entity) } ?? other.entity
            guard entity.table == other.entity.table else {
                throw PredicateFault(
                    "\(other.shown) leads to \(other.entity.name), not to \(entity.name)",
                    place
                )
            }
            let content: TypedOperand.Content
            switch name?.place {
            case .number(let number): content = .row(entity, .number(number))
            case .key(let key): content = .row(entity, .key(try Self.key(key, entity)))
            case nil: content = .row(entity, .key(try Self.key(text, entity)))
            }
            return TypedOperand(kind: other.kind, content: content)
        } catch let fault as PredicateFault {
            throw fault
        } catch let error as StoreError {
            throw PredicateFault(error.message, place, hint: error.hint)
        } catch {
            throw PredicateFault("\(error)", place)
        }
    }

    /// Parses a locator; nil if the text is only a primary key, which may contain `:` as well.
    private func named(_ text: String) throws -> RecordLocator? {
        let entity = text.prefix { $0 != ":" && $0 != "#" }
        guard entity.count < text.count, layout.index(of: String(entity)) != nil else {
            return nil
        }
        return try RecordLocator(text)
    }

    private static func key(_ text: String, _ entity: EntityLayout) throws -> RecordKey {
        guard !entity.key.isEmpty else {
            throw StoreError(
                .invalidReference,
                "\(entity.name) has no primary key, so this names no row.",
                hint: rowHint(entity)
            )
        }
        return try entity.recordKey(text)
    }

    private static func rowHint(_ entity: EntityLayout) -> String {
        entity.key.isEmpty
            ? "Name a row by its number: \"\(entity.name)#1\"."
            : "Name a row by its key, or as \"\(entity.name)#1\"."
    }
}
