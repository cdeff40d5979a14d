public import TidemarkModel

#if canImport(FoundationEssentials)
public import struct FoundationEssentials.TimeZone
#else
public import struct Foundation.TimeZone
#endif

/// In which shape rows become the service's JSON.
public struct ExportOptions: Sendable {
    /// How names are spelled.
    public var keys: Keys

    /// What becomes of relationships.
    public var relationships: Relationships

    /// How all dates are written; nil for the format of each attribute, which is ISO 8601 with a
    /// fraction only where there is one if the model does not say otherwise.
    public var dateFormat: DateFormat?

    /// The zone that dates are written in.
    ///
    /// Where an attribute has a format of its own that does not tell the zone, its dates stay in
    /// UTC, as an import takes them.
    public var timeZone: TimeZone

    /// Creates options; the defaults are snake case, embedded objects, and ISO 8601 in UTC.
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

    /// How names are spelled.
    public enum Keys: String, Sendable, CaseIterable {
        /// `first_name`.
        case snake
        /// `firstName`.
        case camel
    }

    /// What becomes of relationships.
    public enum Relationships: String, Sendable, CaseIterable {
        /// The linked rows are embedded.
        case objects
        /// The linked rows are embedded as Rails takes them: `notes_attributes: {"0": …}`.
        ///
        /// For forms of Rails only: an import does not read these members.
        case nestedAttributes = "nested-attributes"
        /// The primary keys of the linked rows: `company_id`, `tag_ids`.
        ///
        /// In a list, keys of several parts are objects that hold those parts alone, under the name
        /// of the objects. A link to a row that has no key yet is left out, and so is a list with
        /// such a row: an import leaves alone what it does not find.
        case ids
        /// They are left out.
        case none
    }
}
