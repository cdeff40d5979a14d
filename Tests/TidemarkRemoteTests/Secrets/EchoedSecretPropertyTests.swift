import Testing
import TidemarkRemote
import TidemarkTestSupport

/// Messages of a service that repeats a random secret of a request, in a random encoding.
struct EchoedSecretPropertyTests {
    @Test func `a message contains no secret, however it was sent or encoded`() async throws {
        try await Property(cases: 100, sample: Echo.init(seed:)).holds { echo in
            let (fields, parameter) = echo.sent
            let transport = StubTransport(
                echo.body,
                status: 400,
                type: echo.isJSON ? "application/json" : "text/plain"
            )
            let failure = await RemoteFixture(sending: fields, parameter: parameter)
                .failure("things", transport)
            guard let failure, failure.code == .clientError else {
                throw Counterexample("The response is read as \(String(describing: failure)).")
            }
            for trace in [echo.encoded, echo.secret, String(echo.secret.prefix(8))]
            where failure.description.contains(trace) {
                throw Counterexample("“\(trace)” is in: \(failure)")
            }
        }
    }
}
