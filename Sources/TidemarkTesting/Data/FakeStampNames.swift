/// The names of the members that contain the timestamps of a service's objects.
///
/// A timestamp whose name is nil is not part of the JSON.
public struct FakeStampNames: Hashable, Sendable {
    /// The member with the time of creation.
    public var created: String?

    /// The member with the time of the last change.
    public var changed: String?

    /// The member with the time of deletion.
    ///
    /// If it is set, lists of changes contain deleted objects.
    public var deleted: String?

    /// The precision of the timestamps in JSON.
    ///
    /// Defaults to microseconds.
    public var printed: FakePrecision

    /// Creates names.
    ///
    /// By default, objects have no timestamps.
    public init(
        created: String? = nil,
        changed: String? = nil,
        deleted: String? = nil,
        printed: FakePrecision = .microseconds
    ) {
        self.created = created
        self.changed = changed
        self.deleted = deleted
        self.printed = printed
    }
}

extension FakeStampNames {
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
