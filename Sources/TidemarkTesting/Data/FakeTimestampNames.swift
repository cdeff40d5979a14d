/// The names of the members that contain the timestamps of a service's objects.
///
/// A timestamp whose name is nil is not part of the JSON. Tests do not set the times: the service
/// records when each object was created, changed and deleted, by its clock, in microseconds.
///
/// ```swift
/// let fake = FakeService(
///     collections: ["films": [["id": 1]]],
///     dialect: .rest { $0.timestamps = FakeTimestampNames(changed: "updated_at") }
/// )
/// // {"id":1,"updated_at":"2017-07-14T02:40:00Z"}
/// ```
public struct FakeTimestampNames: Hashable, Sendable {
    /// The member with the time of creation; nil by default.
    public var created: String?

    /// The member with the time of the last change; nil by default.
    ///
    /// If it is set, the service supports requests for the objects that changed since a time.
    ///
    /// ```swift
    /// let dialect = FakeDialect.rest { $0.timestamps.changed = "updated_at" }
    /// ```
    public var changed: String?

    /// The member with the time of deletion, null in objects that exist; nil by default.
    ///
    /// If it is set, lists of changes contain deleted objects as tombstones (soft delete).
    ///
    /// ```swift
    /// let dialect = FakeDialect.rest {
    ///     $0.timestamps = FakeTimestampNames(changed: "updated_at", deleted: "deleted_at")
    /// }
    /// ```
    public var deleted: String?

    /// The precision of the timestamps in JSON.
    ///
    /// Defaults to microseconds.
    package var printed: FakePrecision

    /// Creates names.
    ///
    /// By default, objects have no timestamps.
    ///
    /// - Parameters:
    ///   - created: The member with the time of creation.
    ///   - changed: The member with the time of the last change.
    ///   - deleted: The member with the time of deletion.
    public init(created: String? = nil, changed: String? = nil, deleted: String? = nil) {
        self.init(created: created, changed: changed, deleted: deleted, printed: .microseconds)
    }

    /// Creates names of timestamps with a precision.
    package init(
        created: String? = nil,
        changed: String? = nil,
        deleted: String? = nil,
        printed: FakePrecision
    ) {
        self.created = created
        self.changed = changed
        self.deleted = deleted
        self.printed = printed
    }
}

extension FakeTimestampNames {
    /// Returns the object with its timestamps, which `text` formats.
    package func object(_ record: FakeRecord, formatting text: (Int64) -> String) -> FakeJSON {
        var object = record.object
        if let created { object[created] = .string(text(record.created)) }
        if let changed { object[changed] = .string(text(record.changed)) }
        if let deleted {
            object[deleted] = record.isDeleted ? .string(text(record.changed)) : .null
        }
        return object
    }

    /// Returns the field that a name refers to.
    package func field(_ name: String) -> FakeField {
        switch name {
        case created: .created
        case changed: .changed
        default: .member(name)
        }
    }
}
