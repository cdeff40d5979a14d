public import Foundation
public import GRDB

/// What GRDB requires of a record, so that a file which declares one need not import GRDB.
extension EntityRecord {
    /// Creates a record from a row of GRDB that a request of `Store.sql(for:)` has
    /// selected.
    ///
    /// - Throws: ``StoreError/Code/invalidValue`` if a value cannot be one of the property.
    public init(row: Row) throws {
        let names = PropertyNames(entity: Self.entityName, names: Self.propertyNames)
        try self.init(from: EntityRow(row, names))
        try names.check()
        rowID = RowID(row[0])
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
