import HTTPTypes
import TidemarkTesting

extension ForeignService {
    /// A blog whose texts are objects, in which an object is changed by a `POST` to its own path,
    /// and deleted only with `force`.
    ///
    /// Source: WordPress, “REST API Handbook”, “Posts”.
    static let wordPress = ForeignService(
        name: "WordPress",
        dialect: FakeDialect(
            keys: ["id"],
            change: { WordPressResponder(request: $0.request).response(to: $0, changing: &$1) },
            respond: { WordPressResponder(request: $0).response(from: $1) }
        ),
        collection: "posts",
        objects: (1...3).map { number in
            [
                "id": .number("\(number)"), "status": "publish",
                "title": WordPressResponder.text("issue \(number)"),
                "content": WordPressResponder.text("text \(number)"),
            ]
        },
        entity: "Post",
        model: """
            entities:
              Post:
                attributes:
                  id: integer64
                  title: {type: string, remoteKey: title.raw}
                  text: {type: string, remoteKey: content.raw}
                  status: string
            """,
        service: "  auth: {basic: {user: me, password: secret}}",
        resource: """
            {path: "wp/v2/posts?context=edit",
                push: {update: "POST {path}/{key}", nested: leaf, delete: "DELETE {path}/{key}?force=true"}}
            """,
        shown: { object in
            let texts = ["title", "content"].map { object[$0]?["raw"]?.string ?? "–" }
            return "\(object.identity ?? "–") \(texts.joined(separator: ", "))"
        },
        path: { "wp/v2/posts/\($0)" },
        titleBody: #"{"title":{"raw":"mine"}}"#,
        editText: { data, number, text in
            data["posts/\(number)"]?["content"] = WordPressResponder.text(text)
        },
        invalid: (#"{"status": "bad"}"#, "status: status is not one of publish, draft.")
    )
}

private struct WordPressResponder {
    let request: FakeDialect.Request

    static func text(_ raw: String) -> FakeJSON {
        ["raw": .string(raw), "rendered": .string("<p>\(raw)</p>")]
    }

    /// The key of the post at the path; nil for the list.
    private var key: String? { request.steps.count == 4 ? request.steps[3] : nil }

    private var isPath: Bool { Array(request.steps.prefix(3)) == ["wp", "v2", "posts"] }

    private var noRoute: FakeResponse {
        failure(.notFound, "rest_no_route", "No route was found matching the URL.")
    }

    private func failure(
        _ status: HTTPResponse.Status,
        _ code: String,
        _ message: String,
        _ parameters: FakeJSON? = nil
    ) -> FakeResponse {
        var data: FakeJSON = ["status": .number("\(status.code)")]
        data["params"] = parameters
        return FakeResponse(
            ["code": .string(code), "message": .string(message), "data": data],
            status: status
        )
    }

    /// Returns a post as it is shown: its texts only to those who may edit it.
    private func shown(_ post: FakeJSON) -> FakeJSON {
        guard request["context"] != "edit", request.http.method == .get else { return post }
        var post = post
        for name in ["title", "content"] { post[name]?["raw"] = FakeJSON?.none }
        return post
    }

    func response(from contents: FakeContents) -> FakeResponse {
        guard isPath else { return noRoute }
        if let key {
            guard let record = contents.record(at: "posts/\(key)") else {
                return failure(.notFound, "rest_post_invalid_id", "Invalid post ID.")
            }
            return FakeResponse(shown(record.object))
        }
        // Posts in the trash are not listed.
        let posts = (contents["posts"]?.records ?? []).map(\.object)
            .filter { $0["status"] != "trash" }
        var response = FakeResponse(.json(.array(posts.map(shown))))
        response.set("X-WP-Total", to: "\(posts.count)")
        response.set("X-WP-TotalPages", to: "1")
        return response
    }

    func response(to write: FakeWrite, changing contents: inout FakeContents) -> FakeResponse? {
        guard isPath, request.field("Authorization") != nil else { return noRoute }
        do throws(FakeWriteFailure) {
            switch (request.http.method, key) {
            case (.post, nil):
                let record = try contents.create(post(in: write), in: "posts", write)
                var response = FakeResponse(record.object, status: .created)
                response.set("Location", to: "\(request.base)wp/v2/posts/\(record.key)")
                return response
            case (.post, let key?):
                let post = try post(in: write)
                return FakeResponse(
                    try contents.update("posts/\(key)", with: post, isWhole: false, write).object
                )
            case (.delete, let key?) where request["force"] == "true":
                let record = try contents.delete("posts/\(key)", write)
                return FakeResponse(["deleted": true, "previous": record.object])
            case (.delete, let key?):
                let trash: FakeJSON = ["status": "trash"]
                return FakeResponse(
                    try contents.update("posts/\(key)", with: trash, isWhole: false, write).object
                )
            default: return nil
            }
        } catch {
            guard case .invalid = error else {
                return failure(.notFound, "rest_post_invalid_id", "Invalid post ID.")
            }
            return failure(
                .badRequest,
                "rest_invalid_param",
                "Invalid parameter(s): status",
                ["status": "status is not one of publish, draft."]
            )
        }
    }

    /// Returns the members in a body; a text may be sent alone, or in the object that it is in.
    private func post(in write: FakeWrite) throws(FakeWriteFailure) -> FakeJSON {
        guard var post = write.json, case .object = post else { throw .malformed }
        guard [nil, "publish", "draft"].contains(post["status"]) else {
            throw .invalid(["status": .taken])
        }
        for name in ["title", "content"] {
            guard let sent = post[name] else { continue }
            post[name] = Self.text(sent["raw"]?.string ?? sent.string ?? "")
        }
        return post
    }
}
