import HTTPTypes

/// Serves files, and accepts those that clients upload.
///
/// Sources: RFC 9110, 13.1.5 (`If-Range`) and 14 (range requests); Parse REST API, “Files”.
struct FakeFiles {
    let request: FakeDialect.Request

    /// The path below which files can be uploaded; nil for none.
    let uploadPath: String?

    /// Returns the path of an uploaded file below that path.
    let filePath: @Sendable (_ name: String, _ number: Int) -> String

    /// Returns the response to a request; nil if it is not one for a file.
    func response(from contents: inout FakeContents) -> FakeResponse? {
        let steps = request.steps
        switch request.http.method {
        case .get, .head:
            return contents.files[steps.joined(separator: "/")].map(download)
        case .post, .put:
            guard let uploadPath, steps.dropLast().joined(separator: "/") == uploadPath,
                let name = steps.last
            else { return nil }
            return upload(name, to: uploadPath, in: &contents)
        default: return nil
        }
    }

    private func upload(
        _ name: String,
        to folder: String,
        in contents: inout FakeContents
    ) -> FakeResponse {
        contents.uploads += 1
        let path = "\(folder)/\(filePath(name, contents.uploads))"
        contents.files[path] = FakeFile(
            bytes: request.body ?? [],
            type: request.http.headerFields[.contentType] ?? "application/octet-stream"
        )
        let stored = path.split(separator: "/").last.map(String.init) ?? name
        let url = request.base + path
        var response = FakeResponse(
            ["name": .string(stored), "url": .string(url)],
            status: .created
        )
        response.fields[.location] = url
        return response
    }

    private func download(_ file: FakeFile) -> FakeResponse {
        let tag = file.entityTag
        var response = FakeResponse(.bytes(file.bytes, type: file.type))
        response.fields[.eTag] = tag
        response.fields[.acceptRanges] = "bytes"
        let condition = request.field("If-Range")
        guard let start = start, condition == nil || condition == tag else { return response }
        guard start < file.bytes.count else {
            response.status = .rangeNotSatisfiable
            response.body = .empty
            response.fields[.contentRange] = "bytes */\(file.bytes.count)"
            return response
        }
        response.status = .partialContent
        response.body = .bytes(Array(file.bytes[start...]), type: file.type)
        let last = file.bytes.count - 1
        response.fields[.contentRange] = "bytes \(start)-\(last)/\(file.bytes.count)"
        return response
    }

    /// The first position of a range without an end; nil for other ranges, which are ignored.
    private var start: Int? {
        guard let range = request.field("Range"), range.hasPrefix("bytes="), range.hasSuffix("-")
        else { return nil }
        return Int(range.dropFirst("bytes=".count).dropLast())
    }
}
