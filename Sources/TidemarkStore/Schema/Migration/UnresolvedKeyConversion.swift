import Foundation
import GRDB
import TidemarkModel

/// The conversion of the keys that unresolved references wait for, in the same way as the keys of
/// the rows themselves.
final class UnresolvedKeyConversion {
    private static let name = "tidemark_held_key"

    private let plan: MigrationPlan
    private let conversions: Locked<[Conversion]> = Locked([])

    init(_ plan: MigrationPlan) {
        self.plan = plan
    }

    /// The conversion of one part of a key to a part of another.
    private struct Conversion: Sendable {
        let count: Int
        let part: Int
        let values: ValueConversion
    }

    /// The SQL function that returns a part of a converted key.
    ///
    /// Its arguments are the index of a conversion, and the key of the reference.
    var function: DatabaseFunction {
        DatabaseFunction(Self.name, argumentCount: 2, pure: true) { [conversions] values in
            guard let number = Int.fromDatabaseValue(values[0]) else { return nil }
            let conversion = conversions.withLock { $0[number] }
            guard let parts = UnresolvedKey.parts(of: values[1], count: conversion.count) else {
                return nil
            }
            do throws(ConversionFailure) {
                return try conversion.values.convert(parts[conversion.part])
            } catch {
                return nil
            }
        }
    }

    /// Returns an expression for the key of a new entity over the column `key` with that of an old
    /// one, or nil if the new key cannot be computed.
    func expression(from old: EntityLayout, to new: EntityLayout) -> String? {
        guard isInSameTable(new, as: old) else { return nil }
        if old.hasParentInKey || new.hasParentInKey {
            return isSameKey(old, as: new) ? "key" : nil
        }
        let before = attributes(old)
        let after = attributes(new)
        let parts = after.map { attribute -> Int? in
            let former = plan.match.oldAttribute(attribute.name, of: new.name)?.name
            return before.firstIndex { $0.name == former }
        }
        guard !parts.isEmpty, !before.isEmpty, !parts.contains(nil) else { return nil }
        let isSame =
            parts == before.indices.map { $0 }
            && zip(before, after).allSatisfy { $0.type == $1.type }
        if isSame { return "key" }
        var expressions: [String] = []
        for (part, attribute) in zip(parts, after) {
            guard let part, let number = add(before, part: part, attribute: attribute) else {
                return nil
            }
            expressions.append("\(Self.name)(\(number), key)")
        }
        // A key of several parts is stored as their SQL literals with commas between.
        return expressions.count == 1
            ? expressions[0]
            : "CASE WHEN \(expressions.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
                + "THEN \(expressions.map { "quote(\($0))" }.joined(separator: " || ',' || ")) END"
    }

    /// Returns whether two keys, one of which contains that of a parent, have the same values.
    ///
    /// No other key can be computed from that of a reference.
    private func isSameKey(_ old: EntityLayout, as new: EntityLayout) -> Bool {
        let isChanged = plan.changes.contains { change in
            guard change.entity == new.name, case .key = change.kind else { return false }
            return true
        }
        return !isChanged && old.keyParts.count == new.keyParts.count
            && zip(old.keyParts, new.keyParts).allSatisfy {
                $0.references.count == $1.references.count && $0.attribute.type == $1.attribute.type
            }
    }

    /// Returns whether rows of the new entity were in the table of the old one: a key identifies
    /// rows of one table only.
    private func isInSameTable(_ new: EntityLayout, as old: EntityLayout) -> Bool {
        let former = plan.match.oldEntity(new.name).flatMap { plan.old.index(of: $0.name) }
        return former.map { plan.old.entities[$0].table == old.table } ?? false
    }

    private func attributes(_ entity: EntityLayout) -> [Attribute] {
        entity.key.compactMap { column in
            entity.attributes.first { $0.column == column }?.attribute
        }
    }

    private func add(_ before: [Attribute], part: Int, attribute: Attribute) -> Int? {
        do throws(ModelError) {
            let values = try ValueConversion(
                before[part].type,
                to: attribute,
                isKey: true,
                isFilled: false
            )
            return conversions.withLock {
                $0.append(Conversion(count: before.count, part: part, values: values))
                return $0.count - 1
            }
        } catch {
            return nil
        }
    }
}
