import HTTPTypes
import TidemarkModel
import TidemarkRemote

/// How a list has to be read, as its first response says.
///
/// It is expressed in the terms of `tidemark.yml`: a preset, and the options in which a list
/// differs.
struct RecognizedList {
    /// The preset that describes the service.
    var preset: String

    /// What differs from it.
    var options = Configuration.ResourceSection()

    /// Where the list or the object is in the document; nil for the document itself.
    private(set) var list: String?

    /// Whether it is one object.
    var isObject: Bool { options.content == ResourceContent.object.rawValue }

    /// What the user should know, where the response leaves something open.
    var doubt: String?

    /// A list that is as a preset says, whatever its responses look like.
    init(preset: String) {
        self.preset = preset
    }

    /// Recognizes a list.
    ///
    /// - Parameters:
    ///   - answer: The first response.
    ///   - list: Where the objects are in it; nil for the document itself.
    ///   - count: The number of objects.
    ///   - lists: What a configuration says of all lists: it need not be recognized.
    /// - Throws: ``Failure`` where there must be more pages, and nothing says how to request them.
    init(
        _ answer: SampleAnswer,
        list: String?,
        count: Int,
        lists: Configuration.ResourceSection?
    ) throws {
        self.list = list
        let isObject = answer.isObject(at: list)
        if let preset = Self.preset(answer, list) {
            self.preset = preset
            if isObject { options.content = ResourceContent.object.rawValue }
            return
        }
        if isObject {
            preset = "rest"
            options.envelope = list ?? "none"
            options.content = ResourceContent.object.rawValue
            return
        }
        preset = list == nil ? "rails" : "rest"
        options.envelope = list
        let names = list?.split(separator: ".").map(String.init) ?? []
        let found = answer.recognition(list: names, count: count)
        let isPaged = lists?.pagination != nil
        if !isPaged, let sign = found.unreachable {
            throw Failure(
                .data,
                "\(answer.url.shown) contains \(count) objects and says that there are more "
                    + "(\(sign)), but not how to request them. Use --preset, or set pagination in a "
                    + "tidemark.yml."
            )
        }
        options.total = found.total.option
        if !isPaged, !found.isConfirmed, count > 0, count % 5 == 0 {
            doubt =
                "\(answer.url.shown): the service does not say whether these \(count) objects are "
                + "all there are. Tidemark assumes that they are."
        }
    }

    /// The preset that describes a service, by its addresses and by the form of its objects.
    private static func preset(_ answer: SampleAnswer, _ list: String?) -> String? {
        let objects = SampledObjects(answer, list)
        let type = answer.headers[.contentType]?.lowercased() ?? ""
        if list == "data", type.hasPrefix("application/vnd.api+json") || objects.isJSONAPI {
            return "jsonapi"
        }
        let isKinto = list == "data" && answer.headers[.eTag]?.isStamp == true
        if isKinto, answer.url.isLike(Service.kinto(url: answer.url).path) { return "kinto" }
        let isParse = list == "results" && objects.hasObjectIDs
        if isParse, answer.url.isLike(Service.parse(url: answer.url).path) { return "parse" }
        return nil
    }
}

extension String {
    /// Whether it is an entity tag that is a whole number.
    fileprivate var isStamp: Bool {
        count > 10 && hasPrefix("\"") && hasSuffix("\"")
            && dropFirst().dropLast().allSatisfy(\.isNumber)
    }
}

/// The form of the objects of a list, as the first of them shows it.
private struct SampledObjects {
    private(set) var isJSONAPI = false
    private(set) var hasObjectIDs = false

    private mutating func look(at item: JSONNode) {
        hasObjectIDs = item.member("objectId")?.kind == .string
        isJSONAPI =
            item.member("type")?.kind == .string && item.member("id")?.kind == .string
            && item.member("attributes")?.kind == .object
    }

    init(_ answer: SampleAnswer, _ list: String?) {
        answer.document.withRoot { root in
            guard let items = list.map({ root.node(at: $0) }) ?? root else { return }
            if items.kind == .object { return look(at: items) }
            guard items.kind == .array else { return }
            for item in items.elements {
                if item.kind == .object { look(at: item) }
                return
            }
        }
    }
}
