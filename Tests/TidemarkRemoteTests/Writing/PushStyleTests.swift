import HTTPTypes
import Testing
import TidemarkModel
import TidemarkRemote

/// The options of a push style, and the presets.
struct PushStyleTests {
    private typealias Check = @Sendable (PushStyle) -> Bool

    private static let forms: [(PushStyle.Option, String, Check)] = [
        (.create, "none", { $0.create == nil }),
        (.create, "POST", { $0.create == .init(.post) }),
        (.create, "PUT {path}/{key}", { $0.create == .init(.put, path: "{path}/{key}") }),
        (.update, "PUT whole", { $0.update == .init(.put, content: .whole) }),
        (
            .update, "PUT issues/{key}.json whole",
            { $0.update == .init(.put, path: "issues/{key}.json", content: .whole) }
        ),
        (
            .delete, "DELETE {path}/{key}?force=true",
            { $0.delete == .init(.delete, path: "{path}/{key}?force=true") }
        ),
        (.key, "client", { $0.key == .client }),
        (.body, "none", { $0.body.wrapper == .object }),
        (.body, "resource", { $0.body.wrapper == .resource }),
        (.body, "issue", { $0.body.wrapper == .member("issue") }),
        (.names, "camel", { $0.body.names == .camel }),
        (.references, "linkage", { $0.body.references == .linkage }),
        (.references, "observed", { $0.body.references == .observed }),
        (.links, "Task.tags, Note.links", { $0.body.links == ["Task.tags", "Note.links"] }),
        (.nested, "leaf", { $0.body.nested == .leaf }),
        (.embed, "nested-attributes", { $0.body.embedding == .nestedAttributes }),
        (.nulls, "omit", { $0.body.nulls == .omit }),
        (.check, "none", { $0.check == .none }),
        (.check, "read:in_id", { $0.check == .read(parameter: "in_id") }),
        (.check, "version", { $0.check == .version(parameter: nil) }),
        (.check, "version:in_id", { $0.check == .version(parameter: "in_id") }),
        (.version, "header", { $0.version == .header }),
        (.version, "member:rev", { $0.version == .member("rev") }),
        (.version, "body:lock_version", { $0.version == .body("lock_version") }),
        (.stale, "none", { $0.stale == .init(statuses: []) }),
        (
            .stale, "409, 422:empty",
            { $0.stale == .init(statuses: [409], statusesWithoutMessage: [422]) }
        ),
        (.idempotency, "none", { $0.idempotency == nil }),
        (
            .idempotency, "header:Idempotency-Key",
            { $0.idempotency == .init(field: "Idempotency-Key") }
        ),
        (
            .idempotency, "header:X-Id,plain,300s",
            {
                $0.idempotency
                    == .init(field: "X-Id", format: .plain, lifetime: .seconds(300))
            }
        ),
        (.reconcile, "resend", { $0.reconcile == .resend }),
        (.reconcile, "query:where", { $0.reconcile == .query(parameter: "where") }),
        (.batch, "none", { $0.batch == nil }),
        (
            .batch, "kinto:../../batch,25",
            { $0.batch == .init(.kinto, path: "../../batch", limit: 25) }
        ),
        (.read, "GET a/{key}", { $0.reading.operation == .init(.get, path: "a/{key}") }),
        (.readEnvelope, "data.item", { $0.reading.envelope == .keyPath(["data", "item"]) }),
        (
            .readEnvelope, #"rows.0."@odata.value""#,
            { $0.reading.envelope == .keyPath(["rows", "0", "@odata.value"]) }
        ),
        (.uploads, "PUT a>b", { $0.body.uploads == .init(.put, path: "a", url: ["b"]) }),
        (.responseEnvelope, "none", { $0.reading.responseEnvelope == .none }),
        (.response, "object", { $0.reading.response == .object }),
        (.accepted, "10m", { $0.reading.acceptedDelay == .seconds(600) }),
    ]

    @Test func `every option is read in all of its forms`() throws {
        for (option, text, holds) in Self.forms {
            // Starts from a style in which every option has another value.
            var style = PushStyle.kinto
            style.idempotency = PushStyle.Idempotency(field: "Other", format: .plain)
            let isKnown = style.set(option, to: text)
            #expect(isKnown && holds(style), "\(option): \(text)")
        }
        #expect(Set(Self.forms.map(\.0)) == Set(PushStyle.Option.allCases))
    }

    @Test func `a request may have a body of its own`() {
        var style = PushStyle.rest
        let isKnown =
            style.set(.body, to: "row", for: .create)
            && style.set(.existing, to: "adopt", for: .create)
            && style.set(.type, to: "application/merge-patch+json", for: .update)
        #expect(isKnown)
        style.set(["return": .boolean(true)], for: .create)
        #expect(style.wrapper(for: .create) == .member("row"))
        #expect(style.wrapper(for: .update) == .object)
        #expect(style.create?.members == ["return": .boolean(true)])
        #expect(style.create?.existing == .adopt)
        #expect(style.mediaType(for: .create) == "application/json")
        #expect(style.mediaType(for: .update) == "application/merge-patch+json")
        #expect(style.updatesNested == .leaf)
        #expect(PushStyle.rest.updatesNested == .replace)
        #expect(PushStyle.jsonAPI.mediaType(for: .update) == "application/vnd.api+json")
    }

    @Test(arguments: [
        (PushStyle.RequestOption.body, "", PushStyle.Change.create), (.type, "json", .update),
        (.type, "a/b/c", .update), (.existing, "adopt", .update), (.existing, "maybe", .create),
        (.request, "POST", .create), (.members, "a", .create),
    ])
    func `an invalid option of a request is rejected`(
        option: PushStyle.RequestOption,
        text: String,
        change: PushStyle.Change
    ) {
        var style = PushStyle.rest
        let isKnown = style.set(option, to: text, for: change)
        #expect(!isKnown && style == .rest)
        var readOnly = PushStyle.readOnly
        let isSet = readOnly.set(.body, to: "row", for: .create)
        #expect(!isSet && readOnly == .readOnly)
    }

    @Test(arguments: [
        ("auto", PushStyle.ResponseContent.automatic), ("object", .object), ("key", .key),
        ("none", .none), ("any", .any),
    ])
    func `what confirms a change is read`(text: String, content: PushStyle.ResponseContent) {
        var style = PushStyle.rest
        style.reading.response = content == .key ? .any : .key
        let isKnown = style.set(.response, to: text)
        #expect(isKnown && style.reading.response == content)
    }

    @Test func `the upload of files is read`() {
        var style = PushStyle.rest
        let isKnown = style.set(.uploads, to: "PUT media/{name}?public=1>file.url")
        #expect(isKnown)
        let upload = PushStyle.Upload(.put, path: "media/{name}?public=1", url: ["file", "url"])
        #expect(style.body.uploads == upload)
        let isRemoved = style.set(.uploads, to: "none")
        #expect(isRemoved && style.body.uploads == nil)
    }

    @Test(arguments: [
        (PushStyle.Option.create, "post"), (.create, ""), (.create, "POST a b"), (.key, "server"),
        (.body, ""), (.names, "kebab"), (.check, "read:"), (.check, "maybe"), (.version, "member:"),
        (.stale, "409:full"), (.response, "all"), (.accepted, "soon"), (.stale, "9"), (.stale, "x"),
        (.idempotency, "Idempotency-Key"),
        (.idempotency, "header:a b"), (.idempotency, "header:A,quickly"), (.reconcile, "query"),
        (.batch, "kinto:batch"), (.batch, "kinto:batch,0"), (.batch, "kinto:,25"),
        (.batch, "odata:$batch,25"), (.delete, "DELETE whole path"), (.uploads, "POST files"),
        (.uploads, "POST>url"), (.uploads, "files/{name}>url"), (.uploads, "POST files>"),
        (.uploads, "POST files>a..b"), (.uploads, "POST files>a>b"), (.uploads, ">"),
    ])
    func `an invalid text changes nothing`(
        _ option: PushStyle.Option,
        _ text: String
    ) {
        var style = PushStyle.rails
        let isKnown = style.set(option, to: text)
        #expect(!isKnown)
        #expect(style == .rails)
        #expect(!PushStyle.forms(of: option).isEmpty)
    }

    @Test func `every preset of a service has a style that sends all kinds of changes`() {
        #expect(Set(PushStyle.presets.keys) == Set(Service.presets.keys))
        for (name, style) in PushStyle.presets {
            for change in [PushStyle.Change.create, .update, .delete] {
                #expect(style.operation(for: change) != nil, "\(name): \(change)")
            }
        }
        #expect(PushStyle.readOnly.isReadOnly)
    }
}
