public import TidemarkModel

#if canImport(FoundationEssentials)
public import struct FoundationEssentials.TimeZone
#else
public import struct Foundation.TimeZone
#endif

/// The format in which rows are exported as the service's JSON.
public struct ExportOptions: Sendable {
    /// The spelling of names.
    ///
    /// The default is ``Keys/snake``.
    public var keys: Keys

    /// The representation of relationships.
    ///
    /// The default is ``Relationships/objects``.
    public var relationships: Relationships

    /// The format of all dates; nil for the format of each attribute.
    ///
    /// That is ISO 8601, with a fraction only if there is one, unless the model specifies another.
    /// The default is nil.
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

    /// The spelling of names.
    public enum Keys: String, Sendable, CaseIterable {
        /// `first_name`.
        case snake
        /// `firstName`.
        case camel
    }

    /// The representation of relationships.
    public enum Relationships: String, Sendable, CaseIterable {
        /// The linked rows are embedded as objects.
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
        /// Relationships are not exported.
        case none
    }
}
