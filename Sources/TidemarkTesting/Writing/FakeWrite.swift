import HTTPTypes

/// A request of a client to change an object of a fake service.
package struct FakeWrite: Sendable {
    package let request: FakeDialect.Request
    package let rules: FakeWrites

    package init(request: FakeDialect.Request, rules: FakeWrites) {
        self.request = request
        self.rules = rules
    }

    /// The JSON in the body; nil without a body, or if it is invalid.
    package var json: FakeJSON? { request.body.flatMap { FakeJSON(ifValid: $0) } }

    /// The key with which the client has marked the request; nil without one.
    package var idempotencyKey: String? {
        rules.idempotency.flatMap(request.field)
    }
}
