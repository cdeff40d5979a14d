public import Foundation
import GRDB
public import TidemarkModel

extension StoreReader {
    /// Returns the smallest value of an attribute among the rows of a request; nil if none has one.
    ///
    /// ```swift
    /// let youngest = try store.read { reader in try reader.minimum(User.all, of: \.age) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute, of the row itself or of one that to-one relationships lead to.
    /// - Returns: The value.
    /// - Throws: ``StoreError/Code/unknownAttribute``, ``RecordPredicateError``, `DatabaseError`.
    public func minimum<Record, V: AttributeValue & Comparable>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> V? {
        try aggregate("min", request, of: attribute)
    }

    /// Returns the largest value of an attribute among the rows of a request; nil if none has one.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute, of the row itself or of one that to-one relationships lead to.
    /// - Returns: The value.
    /// - Throws: ``StoreError/Code/unknownAttribute``, ``RecordPredicateError``, `DatabaseError`.
    public func maximum<Record, V: AttributeValue & Comparable>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> V? {
        try aggregate("max", request, of: attribute)
    }

    /// Returns the sum of an attribute over the rows of a request; 0 without values.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute.
    /// - Returns: The sum.
    /// - Throws: `DatabaseError` if it does not fit into 64 bits; otherwise as
    ///   ``minimum(_:of:)``.
    public func sum<Record, V: AttributeValue & FixedWidthInteger>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> Int {
        try aggregate("sum", request, of: attribute) ?? 0
    }

    /// Returns the sum of an attribute over the rows of a request; 0 without values.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute.
    /// - Returns: The sum.
    /// - Throws: As ``minimum(_:of:)``.
    public func sum<Record, V: AttributeValue & BinaryFloatingPoint>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> Double {
        try aggregate("total", request, of: attribute) ?? 0
    }

    /// Returns the exact sum of a decimal attribute over the rows of a request; 0 without values.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute.
    /// - Returns: The sum.
    /// - Throws: As ``minimum(_:of:)``.
    public func sum<Record>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<Decimal>>
    ) throws -> Decimal {
        // SQLite adds numbers in binary, and decimals are stored as text.
        var sum = Decimal.zero
        let values = try valuesSQL(request, of: attribute)
        try forEachRow(of: "SELECT _value FROM (\(values.sql))") { statement in
            let value = Value(statement.value(at: 0), type: values.type)
            if let number = Decimal(attributeValue: value) { sum += number }
        }
        return sum
    }

    /// Returns the average of an attribute over the rows of a request that have a value; nil
    /// without one.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute.
    /// - Returns: The average.
    /// - Throws: As ``minimum(_:of:)``.
    public func average<Record, V: AttributeValue & Numeric>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> Double? {
        let values = try valuesSQL(request, of: attribute)
        var average: Double?
        try forEachRow(of: "SELECT avg(_value) FROM (\(values.sql))") { statement in
            average = Double(attributeValue: Value(statement.value(at: 0), type: .double))
        }
        return average
    }

    /// Returns how many rows of a request have each value of an attribute.
    ///
    /// ```swift
    /// let counts = try store.read { reader in try reader.counts(User.all, by: \.age) }
    /// for (age, count) in counts { print(age ?? 0, count) }
    /// ```
    ///
    /// In SQL it is `GROUP BY`.
    ///
    /// - Parameters:
    ///   - request: The request. Its limit and offset apply.
    ///   - attribute: The attribute.
    /// - Returns: The values and their numbers of rows, in the order of the values: nil first,
    ///   which also means values that the type does not have.
    /// - Throws: As ``minimum(_:of:)``.
    public func counts<Record, V>(
        _ request: EntityRequest<Record>,
        by attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> [(value: V?, count: Int)] {
        let values = try valuesSQL(request, of: attribute)
        let order: SQLText = values.type == .decimal ? values.collation : ""
        var counts: [(value: V?, count: Int)] = []
        try forEachRow(
            of: "SELECT _value, count(*) FROM (\(values.sql)) GROUP BY 1 ORDER BY _value\(order)"
        ) { statement in
            let value = V(attributeValue: Value(statement.value(at: 0), type: values.type))
            counts.append((value, Int(statement.integer(at: 1))))
        }
        return counts
    }

    // MARK: SQL

    private func aggregate<Record, V, Result: AttributeValue>(
        _ function: String,
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> Result? {
        let values = try valuesSQL(request, of: attribute)
        let argument: SQLText = values.type == .decimal ? "_value\(values.collation)" : "_value"
        var result: Result?
        try forEachRow(
            of: "SELECT \(sql: function)(\(argument)) FROM (\(values.sql))"
        ) { statement in
            let value = Value(statement.value(at: 0), type: Result.attributeType)
            result = Result(attributeValue: value)
        }
        return result
    }

    /// Returns the SQL of the values of an attribute, in a column with the name `_value`.
    private func valuesSQL<Record, V>(
        _ request: EntityRequest<Record>,
        of attribute: KeyPath<Record.Properties, AttributeExpression<V>>
    ) throws -> (sql: SQLText, type: AttributeType, collation: SQLText) {
        _ = try layout.binding(of: Record.self)
        let path = Record.Properties(.row)[keyPath: attribute].path.keyPath
        let entity = try layout.entity(request.record.entity)
        let (end, type) = try RequestSQL.value(at: path, of: entity, in: layout)
        let value = PredicateSQL(layout: layout).value(end)
        let sql = try RequestSQL(request.record, in: layout).select(["\(value.text) AS _value"])
        return (sql, type, " COLLATE \(sql: QueryFunction.decimalOrder)")
    }
}
