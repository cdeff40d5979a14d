import HTTPTypes
import TidemarkTesting

/// What a service without a dialect of its own says about one collection.
///
/// The paths and bodies of the services differ; what they do with an object does not.
protocol ForeignResponder: SendableMetatype {
    var request: FakeDialect.Request { get }

    init(request: FakeDialect.Request)

    /// The path of the collection in the data.
    static var collection: String { get }

    /// What the request wants; nil if there is nothing at its path.
    var action: ForeignAction? { get }

    /// The list of all objects.
    func list(_ objects: [FakeJSON]) -> FakeResponse

    /// The response to a request for an object; nil if it does not exist.
    func object(_ object: FakeJSON?) -> FakeResponse

    /// Returns the members in the body of a request.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - object: The object that is changed; nil for a new one.
    /// - Returns: The members; nil if the service rejects them.
    func members(in json: FakeJSON, of object: FakeJSON?) -> FakeJSON?

    /// The response to a creation, an update and a deletion.
    func created(_ object: FakeJSON) -> FakeResponse
    func updated(_ object: FakeJSON) -> FakeResponse
    func deleted(_ object: FakeJSON) -> FakeResponse

    /// The response to members that are rejected.
    func rejected(_ json: FakeJSON) -> FakeResponse
}

/// What a request to a foreign service wants.
enum ForeignAction {
    case list, create
    case read(String)
    case update(String, isWhole: Bool)
    case delete(String)
}

extension ForeignResponder {
    func updated(_ object: FakeJSON) -> FakeResponse { FakeResponse(object) }
    func deleted(_ object: FakeJSON) -> FakeResponse { FakeResponse(.empty, status: .noContent) }

    func response(from contents: FakeContents) -> FakeResponse {
        switch action {
        case .list: return list((contents[Self.collection]?.records ?? []).map(\.object))
        case .read(let key):
            return object(contents.record(at: "\(Self.collection)/\(key)")?.object)
        case .create, .update, .delete, nil: return FakeResponse(.empty, status: .notFound)
        }
    }

    func response(to write: FakeWrite, changing contents: inout FakeContents) -> FakeResponse? {
        do throws(FakeWriteFailure) {
            switch action {
            case .create:
                guard let members = members(in: write.json ?? [:], of: nil) else {
                    return rejected(write.json ?? [:])
                }
                return created(try contents.create(members, in: Self.collection, write).object)
            case .update(let key, let isWhole):
                let path = "\(Self.collection)/\(key)"
                guard let record = contents.record(at: path) else { throw .missing }
                guard let members = members(in: write.json ?? [:], of: record.object) else {
                    return rejected(write.json ?? [:])
                }
                return updated(
                    try contents.update(path, with: members, isWhole: isWhole, write).object
                )
            case .delete(let key):
                return deleted(try contents.delete("\(Self.collection)/\(key)", write).object)
            case .list, .read, nil: return nil
            }
        } catch {
            return object(nil)
        }
    }

    /// Returns a dialect that responds in this way.
    static func dialect(keys: [String] = ["id"]) -> FakeDialect {
        FakeDialect(
            keys: keys,
            change: { Self(request: $0.request).response(to: $0, changing: &$1) },
            respond: { Self(request: $0).response(from: $1) }
        )
    }

    /// Whether a text is missing, as all of these services want it.
    func isBlank(_ value: FakeJSON?) -> Bool { value == .null || value == "" }
}
