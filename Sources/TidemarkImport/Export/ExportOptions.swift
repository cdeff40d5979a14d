public import TidemarkModel

#if canImport(FoundationEssentials)
public import struct FoundationEssentials.TimeZone
#else
public import struct Foundation.TimeZone
#endif

/// The format in which rows are exported as the service's JSON.
///
/// The defaults write what a REST service in snake case expects: `{"first_name": "Ada", "notes":
/// [{"id": 7}]}`. Names that the model declares (`remoteKey`) are written literally, whatever the
/// options. All formats but ``Relationships/nestedAttributes`` can be imported again.
///
/// ```swift
/// let options = ExportOptions(keys: .camel, relationships: .ids)
/// try Exporter(store, options: options).write(db, RecordLocator("Article:1"), into: &json)
/// // {"id":1,"title":"Notes","authorIds":[5]}
/// ```
public struct ExportOptions: Sendable {
    /// The case of JSON keys that the model does not declare itself.
    ///
    /// The default is ``Keys/snake``.
    public var keys: Keys

    /// The representation of relationships.
    ///
    /// The default is ``Relationships/objects``. Choose ``Relationships/ids`` for services that
    /// expect foreign keys, and to keep a request small.
    public var relationships: Relationships

    /// The format of all dates; nil for the format of each attribute.
    ///
    /// That is ISO 8601, with a fraction only if there is one, unless the model specifies another.
    /// The default is nil.
    ///
    /// ```swift
    /// let options = try ExportOptions(dateFormat: DateFormat("seconds"))  // Unix time
    /// ```
    public var dateFormat: DateFormat?

    /// The time zone of dates.
    ///
    /// The default is UTC.
    ///
    /// The dates of an attribute whose own format contains no time zone are written in UTC, as an
    /// import reads them.
    public var timeZone: TimeZone

    /// Creates options.
    ///
    /// The defaults are snake case, embedded objects, and ISO 8601 in UTC.
    ///
    /// - Parameters:
    ///   - keys: The case of JSON keys.
    ///   - relationships: The representation of relationships.
    ///   - dateFormat: The format of all dates; nil for the format of each attribute.
    ///   - timeZone: The time zone of dates.
    public init(
        keys: Keys = .snake,
        relationships: Relationships = .objects,
        dateFormat: DateFormat? = nil,
        timeZone: TimeZone = .gmt
    ) {
        self.keys = keys
        self.relationships = relationships
        self.dateFormat = dateFormat
        self.timeZone = timeZone
    }

    /// The case of JSON keys in exported JSON.
    ///
    /// An import reads both spellings, so that the choice matters to the service only. The raw
    /// values are those of the command's option `--keys`.
    public enum Keys: String, Sendable, CaseIterable {
        /// Lowercase words joined by underscores, such as `first_name`, as in Rails and Django.
        case snake
        /// Capitalized words after the first, such as `firstName`, as in JavaScript.
        case camel
    }

    /// The representation of relationships in exported JSON.
    ///
    /// The raw values are those of the command's option `--relationships`.
    ///
    /// ```swift
    /// let flat = ExportOptions(relationships: .none)  // attributes only
    /// ```
    public enum Relationships: String, Sendable, CaseIterable {
        /// The linked rows are embedded as objects, each with its own relationships.
        ///
        /// A row that is linked more than once is written in full once, and elsewhere with its
        /// attributes only.
        case objects
        /// The linked rows are embedded as nested attributes of Rails: `notes_attributes: {"0":
        /// …}`.
        ///
        /// Use it only for forms of Rails: an import does not read these members.
        case nestedAttributes = "nested-attributes"
        /// The primary keys of the linked rows are written: `company_id`, `tag_ids`.
        ///
        /// In a list, a key of several parts is an object that contains only those parts, under the
        /// name of the objects. A link to a row without a primary key is omitted, and so is a list
        /// that contains such a row: an import leaves unchanged what a document does not contain.
        case ids
        /// Relationships are not exported, so that an import of the result leaves links unchanged.
        case none
    }
}
