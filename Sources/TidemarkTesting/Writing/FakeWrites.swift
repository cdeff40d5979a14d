/// The changes that a fake service accepts from clients, and the rules that it checks.
///
/// Without them a service is read-only: it responds to changes with status 405.
///
/// ```swift
/// var dialect = FakeDialect.rest()
/// dialect.writes = FakeWrites()
/// dialect.writes?.required["films"] = ["title"]    // a film without a title is rejected
/// let fake = FakeService(collections: ["films": []], dialect: dialect)
/// ```
public struct FakeWrites: Hashable, Sendable {
    /// How the keys of new objects are made.
    public enum Keys: Hashable, Sendable {
        /// 1, 2, 3, and so on; never the key of a deleted object.
        case numbers
        /// Ten letters and digits, as by Parse.
        case letters
        /// UUIDs in lowercase, unless the client names another key.
        case uuids
    }

    /// How the keys of new objects are made.
    public var keys = Keys.numbers

    /// The members that must have a value, by collection.
    public var required: [String: Set<String>] = [:]

    /// The members whose value no two objects may share, by collection.
    public var unique: [String: Set<String>] = [:]

    /// The most requests in a batch; nil, the default, for that of the real service.
    public var batchLimit: Int?

    /// The header field with which repeated requests are recognized; nil for none.
    public var idempotency: String?

    /// The path below which files can be uploaded, such as `files`; nil, the default, if the
    /// service accepts no files.
    ///
    /// The response to `POST files/a.png` or `PUT files/a.png` is `{"name": …, "url": …}`.
    public var files: String?

    /// What the service does that its responses do not say.
    package var habits = FakeHabits()

    /// Creates the rules of a service that accepts any object.
    public init() {}
}

/// A change that a fake service has committed on behalf of a client.
///
/// ``FakeService/audit`` lists them. An app under test must not create an object twice, whatever
/// happened to the responses.
///
/// ```swift
/// _ = try await engine.sync()
/// #expect(fake.audit.map(\.description) == [#"create films/1 {"id":1,"title":"Star Wars"}"#])
/// ```
public struct FakeEffect: Hashable, Sendable, CustomStringConvertible {
    /// The kind of a change.
    public enum Kind: String, Sendable {
        case create, update, delete
    }

    /// What was changed.
    public let kind: Kind

    /// The path of the object, such as `films/7`.
    public let path: String

    /// The object after the change; nil after a deletion.
    public let object: FakeJSON?

    /// The key with which the client has marked the request; nil without one.
    public let idempotencyKey: String?

    /// The change in one line, such as `create films/7 {"id":7}`.
    public var description: String {
        "\(kind.rawValue) \(path)" + (object.map { " \($0)" } ?? "")
    }
}

/// Why a fake service rejects a change.
package enum FakeWriteFailure: Error, Hashable, Sendable {
    /// There is no such object.
    case missing
    /// The body is not a JSON object.
    case malformed
    /// Members have no valid value, by the reason.
    case invalid([String: Reason])
    /// Another object has the key.
    case exists(FakeJSON)
    /// The object has another version than the client knows.
    case stale(FakeJSON)

    /// Why the value of a member is not valid.
    package enum Reason: String, Sendable {
        case missing, taken
    }
}
