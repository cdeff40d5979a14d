/// The members in which a service tells the times of its objects; nil where it does not.
public struct FakeStampNames: Hashable, Sendable {
    /// The member that says when an object came.
    public var created: String?

    /// The member that says when it changed last.
    public var changed: String?

    /// The member that says when it went; objects that went stay in lists of changes.
    public var deleted: String?

    /// How finely the times are printed.
    public var printed: FakePrecision

    /// Creates names.
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
    /// An object with its times, written by a function.
    func object(_ record: FakeRecord, _ text: (Int64) -> String) -> FakeJSON {
        var object = record.object
        if let created { object[created] = .string(text(record.created)) }
        if let changed { object[changed] = .string(text(record.changed)) }
        if let deleted { object[deleted] = record.isGone ? .string(text(record.changed)) : .null }
        return object
    }

    /// What a name means.
    func field(_ name: String) -> FakeField {
        switch name {
        case created: .created
        case changed: .changed
        default: .member(name)
        }
    }
}
