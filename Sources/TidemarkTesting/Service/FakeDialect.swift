import HTTPTypes

/// The API style of a fake service: the rules by which it responds to a request.
///
/// Use ``rest(pageSize:_:)`` for a service built with Django REST framework, or one like it. It
/// determines the URLs, the pagination, the format of lists, and which header fields and parameters
/// are supported.
///
/// ```swift
/// let fake = FakeService(collections: ["films": []], dialect: .rest(pageSize: 2))
/// ```
public struct FakeDialect: Sendable {
    /// The members that identify an object, in order of precedence.
    package var keys: [String]

    /// The rule by which changes are timestamped.
    package var stamps: FakeStamps

    /// The changes that clients may make; nil, the default, for a read-only service.
    ///
    /// ```swift
    /// var dialect = FakeDialect.rest()
    /// dialect.writes = FakeWrites()
    /// ```
    public var writes: FakeWrites?

    /// Returns the response to a request to change something; nil for one that it does not support.
    package var change: @Sendable (FakeWrite, inout FakeContents) -> FakeResponse?

    /// Returns the response to a request that has the idempotency key of an earlier one, whose
    /// response is given.
    ///
    /// By default that response is sent again.
    package var repeated: @Sendable (FakeResponse) -> FakeResponse = { $0 }

    /// Returns the path of an uploaded file below ``FakeWrites/files``, from the name that the
    /// client has chosen, and the number of the upload.
    package var filePath: @Sendable (_ name: String, _ number: Int) -> String = { name, _ in name }

    /// Returns the response to a request.
    package var respond: @Sendable (Request, inout FakeContents) -> FakeResponse

    /// Changes a response so that its link to the next page leads to the same page, for
    /// ``FakeFault/cyclicNextLink``.
    package var loop: @Sendable (inout FakeResponse, Request) -> Void

    /// Creates a dialect.
    package init(
        keys: [String] = ["url", "id"],
        stamps: FakeStamps = FakeStamps(),
        change: @escaping @Sendable (FakeWrite, inout FakeContents) -> FakeResponse? = { _, _ in
            nil
        },
        respond: @escaping @Sendable (Request, inout FakeContents) -> FakeResponse,
        loop: @escaping @Sendable (inout FakeResponse, Request) -> Void = { _, _ in }
    ) {
        self.keys = keys
        self.stamps = stamps
        self.change = change
        self.respond = respond
        self.loop = loop
    }

    /// Returns the response to a request, of any method.
    func response(to request: Request, from contents: inout FakeContents) -> FakeResponse {
        var request = request
        request.isChangeable = writes != nil
        let files = FakeFiles(request: request, uploadPath: writes?.files, filePath: filePath)
        if let response = files.response(from: &contents) { return response }
        guard let writes, ![.get, .head].contains(request.http.method) else {
            return respond(request, &contents)
        }
        let write = FakeWrite(request: request, rules: writes)
        if let key = write.idempotencyKey, let known = contents.responses[key] {
            return repeated(known)
        }
        guard var response = change(write, &contents) else { return respond(request, &contents) }
        response = writes.habits.response(response)
        if let key = write.idempotencyKey { contents.responses[key] = response }
        return response
    }
}
