// The examples in the documentation comments of TidemarkRemote, written by `make examples`.
// swift-format-ignore-file

import Foundation
import GRDB
import HTTPTypes
import Logging
import Testing
import Tidemark
import TidemarkCoreData
import TidemarkHTTPClient
import TidemarkMacros
import TidemarkTesting

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_1() throws {
    for case let error as RemoteError in report.failures {
        print(error)    // GET https://api.example.com/films returned 404. Check the path.
        print(error.isTransient)
    }
}

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_2() throws {
    func message(for error: RemoteError) -> String {
        switch error.code {
        case .unreachable, .connectionFailed, .timedOut: "You are offline."
        case .unauthorized where error.status == 401: "Please sign in again."
        default: error.message
        }
    }
}

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_3() throws {
    let isSignedOut = report.failures.contains { error in
        (error as? RemoteError)?.status == 401
    }
}

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_4() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .offset(parameter: "start")
}

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_5() throws {
    let request = HTTPRequest(method: .get, url: url); _ = request
    throw RemoteError(
        .unreachable,
        "GET https://api.example.com/films: the VPN is disconnected.",
        hint: "Connect, then try again."
    )
}

// Sources/TidemarkRemote/RemoteError.swift
private func RemoteError_6() throws {
    let permanent = report.failures.filter { ($0 as? RemoteError)?.isTransient != true }
    if !permanent.isEmpty { logger.error("\(permanent)") }
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_1() throws {
    var posts = service.resource("Post", path: "posts")
    posts.style.delta = .since(ChangeQuery.Since(field: ["updated_at"], parameter: "updated_since"))
    posts.style.deletes = .marked(["deleted_at"])
    // GET posts?updated_since=2026-01-02T08:59:59Z
    // → [{"id": 7, "title": "…", …}, {"id": 3, "deleted_at": "2026-01-02T09:00:00Z", …}]
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_2() throws {
    var films = service.resource("Film", path: "films")
    films.style.delta = .version(parameter: "_since")
    films.style.deletes = .marked(["deleted"])
    // GET films?_since="1700000000000" → {"data": [{"id": "3", "deleted": true}]}
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_3() throws {
    var events = service.resource("Event", path: "calendars/primary/events")
    events.style.delta = .token(["nextSyncToken"], parameter: "syncToken")
    events.style.deletes = .marked(["status"], value: "cancelled")
    // GET calendars/primary/events → {"items": […], "nextSyncToken": "CPDAlvWDx70C"}
    // GET calendars/primary/events?syncToken=CPDAlvWDx70C
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_4() throws {
    var users = service.resource("User", path: "users/delta")
    users.style.pagination = .nextInBody(["@odata.nextLink"])
    users.style.delta = .link(["@odata.deltaLink"])
    users.style.deletes = .marked(["@removed"])
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_5() throws {
    let changes = ChangeQuery.Since(
        field: ["updated_on"],
        parameter: "updated_on",
        template: ">={}",
        order: [QueryItem("sort", "updated_on")]
    )
    // GET issues.json?sort=updated_on&updated_on=>=2026-01-02T08:59:59Z, percent-encoded
}

// Sources/TidemarkRemote/Resources/ChangeQuery.swift
private func ChangeQuery_6() throws {
    var changes = ChangeQuery.Since(field: ["updated_at"], parameter: "since")
    changes.overlap = .seconds(60)
}

// Sources/TidemarkRemote/Resources/DeletionDetection.swift
private func DeletionDetection_1() throws {
    var posts = service.resource("Post", path: "posts?include_deleted=true")
    posts.style.deletes = .marked(["deleted_at"])    // soft delete
}

// Sources/TidemarkRemote/Resources/Envelope.swift
private func Envelope_1() throws {
    var films = service.resource("Film", path: "films")
    films.style.envelope = .keyPath(["data", "items"])    // {"data": {"items": [{"id": 1}, …]}}
}

// Sources/TidemarkRemote/Resources/Origin.swift
private func Origin_1() throws {
    let cdn = Origin("https://CDN.example.com:443/films")
    print(cdn?.description ?? "")    // https://cdn.example.com
}

// Sources/TidemarkRemote/Resources/Origin.swift
private func Origin_2() throws {
    var service = Service.rest(url: url)
    if let files = Origin("https://files.example.com") { service.origins.insert(files) }
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_1() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .token(["meta", "next_cursor"], parameter: "cursor")
    // GET films → {"data": […], "meta": {"next_cursor": "b2Zm"}}
    // GET films?cursor=b2Zm → {"data": […], "meta": {"next_cursor": null}}
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_2() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .nextInBody(["links", "next"])
    // {"data": […], "links": {"next": "/films?page=2"}}
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_3() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .linkHeader
    // Link: <https://api.example.com/films?page=2>; rel="next"
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_4() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .number(parameter: "page")    // GET films, GET films?page=2, …
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_5() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .offset(parameter: "skip")    // GET films, GET films?skip=50, …
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_6() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .headerToken("X-MS-Continuation", parameter: "continuation")
    // X-MS-Continuation: b2Zm, then GET films?continuation=b2Zm
}

// Sources/TidemarkRemote/Resources/Pagination.swift
private func Pagination_7() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .keyset(Keyset(key: ["id"], parameter: "after"))
    // GET films → [{"id": 1}, …, {"id": 50}]
    // GET films?after=50 → [{"id": 51}, …]
}

// Sources/TidemarkRemote/Resources/QueryItem.swift
private func QueryItem_1() throws {
    var films = service.resource("Film", path: "films")
    films.style.parameters.order = [QueryItem("sort", "id"), QueryItem("kind", "tv & cinema")]
    // GET films?sort=id&kind=tv%20%26%20cinema
}

// Sources/TidemarkRemote/Resources/RemoteResource.swift
private func RemoteResource_1() throws {
    let films = service.resource("Film", path: "films")
    var featured = service.resource("Film", path: "films/featured")
    featured.style.pagination = .none
    featured.style.deletes = .none
}

// Sources/TidemarkRemote/Resources/RemoteResource.swift
private func RemoteResource_2() throws {
    let comments = service.resource("Comment", path: "posts/{post}/comments")
}

// Sources/TidemarkRemote/Resources/RemoteResource.swift
private func RemoteResource_3() throws {
    var ratings = service.resource("Rating", path: "ratings")
    ratings.push = .readOnly    // whatever the service accepts elsewhere
}

// Sources/TidemarkRemote/Resources/RemoteResource.swift
private func RemoteResource_4() throws {
    var people = service.resource("Person", path: "contacts")
    people.typeName = "people"    // {"type": "people", "id": "1", "attributes": {…}}
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_1() throws {
    var films = service.resource("Film", path: "films")
    films.style.envelope = .keyPath(["data"])
    films.style.pagination = .number(parameter: "page")
    films.style.parameters.pageSize = [QueryItem("per_page", "100")]
    films.style.total = .body(["meta", "total"])
    // GET films?per_page=100 → {"data": […], "meta": {"total": 82}}
    // GET films?per_page=100&page=2, and so on until 82 objects were read
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_2() throws {
    var patients = service.resource("Patient", path: "Patient")
    patients.style.envelope = .keyPath(["entry"])
    patients.style.item = ["resource"]    // {"entry": [{"resource": {"id": "p1", …}}, …]}
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_3() throws {
    var notes = service.resource("Note", path: "notes")
    notes.style.omitsNulls = true    // {"id": 1}: the note has no text any more
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_4() throws {
    var payments = service.resource("Payment", path: "payments")
    payments.style.readsNoContentAsEmpty = true    // 204 instead of 200 and []
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_5() throws {
    var films = service.resource("Film", path: "films")
    films.style.emptyPages = 1_000
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_6() throws {
    var people = service.resource("Person", path: "people")
    people.style.pagination = .number(parameter: "page")
    people.style.base = 0    // GET people, GET people?page=1, …
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_7() throws {
    var posts = service.resource("Post", path: "posts")
    posts.style.parameters.pageSize = [QueryItem("limit", "200")]
    posts.style.parameters.order = [QueryItem("sort", "id")]
    posts.style.parameters.keys = [QueryItem("fields", "id")]
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_8() throws {
    var posts = service.resource("Post", path: "posts")
    posts.style.delta = .since(ChangeQuery.Since(field: ["updated_at"], parameter: "since"))
    posts.style.fullInterval = .seconds(86_400)
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_9() throws {
    var posts = service.resource("Post", path: "posts")
    posts.style.delta = .railsChanges
    posts.style.fullInterval = .seconds(24 * 3_600)
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_10() throws {
    var resource = service.resource("Article", path: "articles/3")
    resource.style.makeSingleObject()
    // GET articles/3 → {"id": 3, "title": "Notes"}
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_11() throws {
    var parameters = ListParameters()
    parameters.pageSize = [QueryItem("per_page", "100")]
    parameters.order = [QueryItem("sort", "created_at"), QueryItem("direction", "asc")]
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_12() throws {
    var films = service.resource("Film", path: "films")
    films.style.pagination = .keyset(Keyset(key: ["id"], parameter: "after"))
    films.style.parameters.order = [QueryItem("sort", "id")]
    films.style.stability = .stable    // each page starts after the last id
}

// Sources/TidemarkRemote/Resources/ResourceStyle.swift
private func ResourceStyle_13() throws {
    var films = service.resource("Film", path: "films")
    films.style.validation = .none    // its entity tags do not change with the objects
}

// Sources/TidemarkRemote/Resources/Service+Paths.swift
private func Service_Paths_1() throws {
    let resources = model.entities.filter { !$0.isAbstract }.map { service.resource(of: $0) }
    print(resources.map(\.path))    // ["people", "films", "blog_posts"]
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_1() throws {
    var service = Service.rest(url: url)
    service.headers[.authorization] = "Bearer abc"
    service.style.parameters.pageSize = [QueryItem("limit", "100")]
    let films = service.resource("Film", path: "films")    // GET films?limit=100
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_2() throws {
    let service = Service.rest(url: URL(string: "https://api.example.com/v1")!)
    let films = service.resource("Film", path: "films")    // https://api.example.com/v1/films
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_3() throws {
    var service = Service.rest(url: url)
    service.name = "https://old.example.com"    // has moved to another address
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_4() throws {
    var service = Service.rest(url: url)
    service.headers[.authorization] = "Bearer abc"
    service.headers[.acceptLanguage] = "en"
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_5() throws {
    var service = Service.rest(url: url)
    service.query = [QueryItem("api_key", "abc")]
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_6() throws {
    var service = Service.rest(url: url)
    if let cdn = Origin("https://cdn.example.com") { service.origins.insert(cdn) }
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_7() throws {
    var service = Service.rails(url: url)
    service.style.delta = .railsChanges    // of all resources that are created from now on
    service.style.fullInterval = .seconds(86_400)
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_8() throws {
    var service = Service.rest(url: url)
    service.push = .rest
    let films = service.resource("Film", path: "films")    // POST films, PATCH films/7
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_9() throws {
    var style = ResourceStyle()
    style.envelope = .keyPath(["data", "items"])
    style.pagination = .token(["data", "next"], parameter: "page_token")
    let service = Service(url: url, headers: [.authorization: "Bearer abc"], style: style)
}

// Sources/TidemarkRemote/Resources/Service.swift
private func Service_10() throws {
    var latest = service.resource("Film", path: "films?sort=-released")
    latest.style.deletes = .none    // another resource lists all films
}

// Sources/TidemarkRemote/Resources/TotalCount.swift
private func TotalCount_1() throws {
    var films = service.resource("Film", path: "films")
    films.style.total = .header("X-Total-Count")
}

// Sources/TidemarkRemote/Resources/TotalCount.swift
private func TotalCount_2() throws {
    var films = service.resource("Film", path: "films")
    films.style.total = .body(["meta", "total"])    // {"data": […], "meta": {"total": 82}}
}

// Sources/TidemarkRemote/Resources/TotalCount.swift
private func TotalCount_3() throws {
    var films = service.resource("Film", path: "films")
    films.style.delta = .railsChanges
    films.style.count = .head("X-Total-Count")    // HEAD films
}

// Sources/TidemarkRemote/Resources/TotalCount.swift
private func TotalCount_4() throws {
    var films = service.resource("Film", path: "films")
    films.style.total = .body(["count"])
    films.style.count = .query([QueryItem("count", "1"), QueryItem("limit", "0")])
    // GET films?count=1&limit=0 → {"results": [], "count": 82}
}

// Sources/TidemarkRemote/Services/Service+JSONAPI.swift
private func Service_JSONAPI_1() throws {
    let service = Service.jsonAPI(url: url)
    var articles = service.resource("Article", path: "articles?include=author")
    articles.style.parameters.pageSize = [QueryItem("page[size]", "100")]
    // GET articles?include=author&page[size]=100
    // → {"data": [{"type": "articles", "id": "1", "attributes": {…}}], "included": […]}
}

// Sources/TidemarkRemote/Services/Service+JSONAPI.swift
private func Service_JSONAPI_2() throws {
    var service = Service.jsonAPI(url: url)
    service.push = .jsonAPI    // POST articles {"data": {"type": "articles", "attributes": …}}
    let articles = service.resource("Article", path: "articles")
}

// Sources/TidemarkRemote/Services/Service+Kinto.swift
private func Service_Kinto_1() throws {
    let service = Service.kinto(url: url)    // https://kinto.example.com/v1/buckets/app
    let films = service.resource("Film", path: "collections/films/records")
    // GET collections/films/records?_sort=last_modified&_since="1700000000000"
    // If-None-Match: "1700000000000" → 304: nothing has changed
}

// Sources/TidemarkRemote/Services/Service+Kinto.swift
private func Service_Kinto_2() throws {
    var service = Service.kinto(url: url)    // http://localhost:8888/v1/buckets/app
    service.push = .kinto
    let tasks = service.resource("Task", path: "collections/tasks/records")
}

// Sources/TidemarkRemote/Services/Service+Parse.swift
private func Service_Parse_1() throws {
    let service = Service.parseServer(url: url, applicationID: "app", restKey: "key")
    let films = service.resource("Film", path: "classes/Film")
    // GET classes/Film?limit=1000&order=updatedAt,objectId
    // → {"results": [{"objectId": "a1", "updatedAt": "2026-01-02T00:00:00.000Z", …}]}
}

// Sources/TidemarkRemote/Services/Service+Parse.swift
private func Service_Parse_2() throws {
    var service = Service.parseServer(url: url, applicationID: "app")
    service.push = .parse
    let notes = service.resource("Note", path: "classes/Note")
}

// Sources/TidemarkRemote/Services/Service+REST.swift
private func Service_REST_1() throws {
    let service = Service.rest(url: url)    // https://swapi.dev/api/
    let films = service.resource("Film", path: "films/")
    // GET films/ → {"count": 82, "next": "https://swapi.dev/api/films/?page=2", "results": […]}
}

// Sources/TidemarkRemote/Services/Service+REST.swift
private func Service_REST_2() throws {
    var service = Service.rest(url: url)
    service.push = .rest    // POST films/, PATCH films/7/, DELETE films/7/
    let films = service.resource("Film", path: "films/")
}

// Sources/TidemarkRemote/Services/Service+Rails.swift
private func Service_Rails_1() throws {
    var service = Service.rails(url: url)
    service.style.parameters.pageSize = [QueryItem("per_page", "100")]
    service.style.parameters.order = [QueryItem("sort", "id")]
    let posts = service.resource("Post", path: "posts")
    // GET posts?per_page=100&sort=id → [{"id": 1, "title": "…", "updated_at": "…"}, …]
}

// Sources/TidemarkRemote/Services/Service+Rails.swift
private func Service_Rails_2() throws {
    var posts = service.resource("Post", path: "posts")
    posts.style.delta = .railsChanges
    posts.style.fullInterval = .seconds(86_400)    // finds deleted posts once a day
}

// Sources/TidemarkRemote/Services/Service+Rails.swift
private func Service_Rails_3() throws {
    var service = Service.rails(url: url)
    service.push = .rails
    service.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key")
    service.push.reconcile = .resend    // if the service replays its response
}

// Sources/TidemarkRemote/Transport/Credentials.swift
private func Credentials_1() async throws {
    struct Login { func token() async -> String { "" }
        func newToken() async -> String { "" } }
    let login = Login()
    let credentials = Credentials { rejected in
        let token = rejected == nil ? await login.token() : await login.newToken()
        return [.authorization: "Bearer \(token)"]
    }
}

// Sources/TidemarkRemote/Transport/Credentials.swift
private func Credentials_2() async throws {
    @Sendable func refresh() async throws -> String { "" }
    let credentials = Credentials { _ in
        [.authorization: "Bearer \(try await refresh())"]
    }
    let engine = try await SyncEngine.prepare(
        store: store, service: service, resources: [resource], transport: transport,
        credentials: credentials
    )
}

// Sources/TidemarkRemote/Transport/ResponseBody.swift
private func ResponseBody_1() async throws {
    let request = HTTPRequest(method: .get, url: url)
    let response = try await transport.send(request, body: nil)
    var length = 0
    for try await chunk in response.body { length += chunk.count }
}

// Sources/TidemarkRemote/Transport/ResponseBody.swift
private func ResponseBody_2() async throws {
    actor FileReader { func read() throws -> [UInt8]? { nil } }
    let file = FileReader()
    let body = ResponseBody { try await file.read() }
}

// Sources/TidemarkRemote/Transport/ResponseBody.swift
private func ResponseBody_3() throws {
    let (chunks, _) = AsyncStream<[UInt8]>.makeStream()
    let body = ResponseBody(chunks: chunks)    // an AsyncStream<[UInt8]>
}

// Sources/TidemarkRemote/Transport/Transport.swift
private func Transport_1() async throws {
    struct LoggingTransport<Base: Transport>: Transport {
        let base: Base

        func send(_ request: HTTPRequest, body: [UInt8]?) async throws -> TransportResponse {
            let response = try await base.send(request, body: body)
            // Not the path: its query may contain a secret.
            logger.debug("\(request.method) returned \(response.head.status.code).")
            return response
        }
    }
}

// Sources/TidemarkRemote/Transport/TransportResponse.swift
private func TransportResponse_1() throws {
    let request = HTTPRequest(method: .get, url: url)
    let response = TransportResponse(
        to: request,
        head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: ResponseBody(Array(#"[{"id": 1}]"#.utf8))
    )
}

// Sources/TidemarkRemote/Transport/TransportResponse.swift
private func TransportResponse_2() async throws {
    let request = HTTPRequest(method: .get, url: url)
    let response = try await transport.send(request, body: nil)
    let bytes = try await response.collect(upTo: 1 << 20)    // 1 MiB
}

// Sources/TidemarkRemote/Writing/PushStyle+Checks.swift
private func PushStyle_Checks_1() throws {
    var service = Service.rest(url: url)
    service.push.stale = PushStyle.StaleResponse(statuses: [409], statusesWithoutMessage: [422])
}

// Sources/TidemarkRemote/Writing/PushStyle+Checks.swift
private func PushStyle_Checks_2() throws {
    var service = Service.rest(url: url)
    service.push.idempotency = PushStyle.Idempotency(field: "Idempotency-Key", format: .plain)
}

// Sources/TidemarkRemote/Writing/PushStyle+Checks.swift
private func PushStyle_Checks_3() throws {
    var service = Service.rest(url: url)
    service.push.batch = PushStyle.Batch(.kinto, path: "../../batch", limit: 25)
}

// Sources/TidemarkRemote/Writing/PushStyle+Operation.swift
private func PushStyle_Operation_1() throws {
    var service = Service.rest(url: url)
    service.push.create = PushStyle.Operation(.post, path: "{path}/new")
    service.push.update = PushStyle.Operation(.put, content: .whole)
    service.push.delete = PushStyle.Operation(.post, path: "{path}/{key}/archive")
}

// Sources/TidemarkRemote/Writing/PushStyle+Operation.swift
private func PushStyle_Operation_2() throws {
    var service = Service.rest(url: url)
    service.push.create?.wrapper = .member("row")
}

// Sources/TidemarkRemote/Writing/PushStyle+Operation.swift
private func PushStyle_Operation_3() throws {
    var service = Service.rest(url: url)
    service.push.create?.members = ["return": .boolean(true)]    // {…, "return": true}
}

// Sources/TidemarkRemote/Writing/PushStyle+Upload.swift
private func PushStyle_Upload_1() throws {
    var service = Service.rest(url: url)
    service.push.body.uploads = PushStyle.Upload(.put, path: "media/{name}", url: ["url"])
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_1() throws {
    var service = Service.rest(url: url)
    service.push = .rest
    var films = service.resource("Film", path: "films/")
    films.push.update = PushStyle.Operation(.put, content: .whole)    // PUT films/7/
    var ratings = service.resource("Rating", path: "ratings")
    ratings.push = .readOnly
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_2() throws {
    var service = Service.rest(url: url)
    service.push.check = .read(parameter: "id__in")    // 25 objects in one request
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_3() throws {
    var service = Service.rest(url: url)
    service.push.body.wrapper = .member("{entity}")    // {"film": {…}}
    service.push.body.references = .urls               // "director": "https://…/people/4"
    service.push.body.nulls = .omit
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_4() throws {
    var service = Service.rest(url: url)
    service.push.body.nested = .leaf    // {"address": {"city": "Paris"}} keeps the street
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_5() throws {
    var service = Service.rest(url: url)
    service.push.body.links = ["Task.tags"]    // PATCH /tasks/4 {"tag_ids": [1, 2]}
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_6() throws {
    var service = Service.rest(url: url)
    service.push.reading.operation = PushStyle.Operation(.get, path: "issues/{key}.json")
    service.push.reading.envelope = .keyPath(["issue"])
    service.push.reading.responseEnvelope = .keyPath(["issue"])
}

// Sources/TidemarkRemote/Writing/PushStyle.swift
private func PushStyle_7() throws {
    var service = Service.rest(url: url)
    service.push.reading.response = .key    // {"id": 12}, and nothing else that counts
}
