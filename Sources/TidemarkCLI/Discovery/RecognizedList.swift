import HTTPTypes
import TidemarkJSON
import TidemarkModel
import TidemarkRemote

/// The configuration of a list, as recognized from its first response.
///
/// It is expressed in the terms of `tidemark.yml`: a preset, and the options that differ from the
/// preset.
struct RecognizedList {
    /// The preset that describes the service.
    var preset: String

    /// The options that differ from the preset.
    var options = Configuration.ResourceSection()

    /// The key path of the list or the object in the document; nil for the document itself.
    private(set) var list: String?

    /// Whether the document contains a single object instead of a list.
    var isObject: Bool { options[.content] == ResourceContent.object.rawValue }

    /// Creates a list that follows a preset, regardless of its responses.
    init(preset: String) {
        self.preset = preset
    }

    /// Recognizes a list.
    ///
    /// - Parameters:
    ///   - response: The first response.
    ///   - list: The key path of the objects in the document; nil for the document itself.
    ///   - count: The number of objects.
    ///   - lists: The configured options of all lists. Configured pagination is not checked.
    /// - Throws: ``Failure`` if there are more pages but the response does not show how to request
    ///   them.
    init(
        _ response: SampleResponse,
        list: String?,
        count: Int,
        lists: Configuration.ResourceSection?
    ) throws {
        self.list = list
        let isObject = response.isObject(at: list)
        if let preset = Self.preset(for: response, list: list) {
            self.preset = preset
            if isObject { options[.content] = ResourceContent.object.rawValue }
            return
        }
        if isObject {
            preset = "rest"
            options[.envelope] = list ?? "none"
            options[.content] = ResourceContent.object.rawValue
            return
        }
        preset = list == nil ? "rails" : "rest"
        options[.envelope] = list
        let found = response.recognition(list: JSONPath(list ?? "").names, count: count)
        let isPaged = lists?[.pagination] != nil
        if !isPaged, let sign = found.unreachable {
            throw Failure(
                .data,
                "\(response.url.shown) contains \(count) objects and says that there are more "
                    + "(\(sign)), but not how to request them. Use --preset, or set pagination in a "
                    + "tidemark.yml."
            )
        }
        // Without a total now, a later response may have one.
        options[.total] = (found.total == .none ? TotalCount.automatic : found.total).option
    }

    /// Returns the preset that matches the URL and the form of the objects, or nil.
    private static func preset(for response: SampleResponse, list: String?) -> String? {
        let objects = SampledObjects(of: response, at: list)
        let type = response.headers[.contentType]?.lowercased() ?? ""
        if list == "data", type.hasPrefix("application/vnd.api+json") || objects.isJSONAPI {
            return "jsonapi"
        }
        let isKinto = list == "data" && response.headers[.eTag]?.isStamp == true
        if isKinto, response.url.isLike(Service.kinto(url: response.url).path) { return "kinto" }
        let isParse = list == "results" && objects.hasObjectIDs
        if isParse, response.url.isLike(Service.parseServer(url: response.url).path) {
            return "parse"
        }
        return nil
    }
}

extension String {
    /// Whether the text is a strong entity tag that consists of digits: Kinto uses timestamps.
    fileprivate var isStamp: Bool {
        count > 10 && hasPrefix("\"") && hasSuffix("\"")
            && dropFirst().dropLast().allSatisfy(\.isNumber)
    }
}

/// The form of a list's objects, taken from the first object.
private struct SampledObjects {
    private(set) var isJSONAPI = false
    private(set) var hasObjectIDs = false

    private mutating func examine(_ item: JSONNode) {
        hasObjectIDs = item.member("objectId")?.kind == .string
        isJSONAPI =
            item.member("type")?.kind == .string && item.member("id")?.kind == .string
            && item.member("attributes")?.kind == .object
    }

    init(of response: SampleResponse, at list: String?) {
        response.document.withRoot { root in
            guard let items = root.node(at: JSONPath(list ?? "")) else { return }
            if items.kind == .object { return examine(items) }
            guard items.kind == .array else { return }
            for item in items.elements {
                if item.kind == .object { examine(item) }
                return
            }
        }
    }
}
