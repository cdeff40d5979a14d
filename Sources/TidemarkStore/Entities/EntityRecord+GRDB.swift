public import Foundation
public import GRDB

/// What GRDB requires of a record, so that a file which declares one need not import GRDB.
extension EntityRecord {
    /// Creates a record from a row of GRDB.
    ///
    /// Its columns are those that `Store.sql(for:)` selects: `_id` and one with the name of each
    /// attribute and to-one relationship, in any order. `Store.fetch` is faster: it looks up the
    /// columns once for all rows.
    ///
    /// - Throws: ``StoreError/Code/typeMismatch`` if a column is missing,
    ///   ``StoreError/Code/invalidValue`` if a value cannot be one of the property.
    public init(row: Row) throws {
        let names = PropertyNames(entity: Self.entityName, names: Self.propertyNames)
        let source = EntityRow(row, names)
        do {
            try self.init(from: source)
        } catch {
            // A missing column explains the error.
            try names.check()
            throw error
        }
        if source.number == 0 { names.fail(lacking: "_id") }
        try names.check()
        rowID = RowID(source.number)
    }

    /// The default of GRDB, which a record does not use.
    public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

    /// The default of GRDB, which a record does not use.
    public static func databaseJSONDecoder(for column: String) -> JSONDecoder { JSONDecoder() }

    /// The default of GRDB, which a record does not use.
    public static func databaseDataDecodingStrategy(
        for column: String
    ) -> DatabaseDataDecodingStrategy { .deferredToData }

    /// The default of GRDB, which a record does not use.
    public static func databaseDateDecodingStrategy(
        for column: String
    ) -> DatabaseDateDecodingStrategy { .deferredToDate }

    /// The default of GRDB, which a record does not use.
    public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .useDefaultKeys
    }
}
