import Testing

@testable import TidemarkCLI

/// The header fields that a command line may contain.
struct HeaderFieldsTests {
    @Test(arguments: [
        "Authorization: Bearer tok-12345678$TIDEMARK_E", "Authorization: tok-12345678 $TIDEMARK_E",
        "Authorization: tok-12345678=$TIDEMARK_E", "Authorization: $TIDEMARK_E hunter",
        "Authorization: Bearer $TIDEMARK_E,hunter", "Authorization: Bearer",
        "X-API-Key: hunter $TIDEMARK_E", "Cookie: session=abc; theme=$TIDEMARK_E",
        "X-Auth: x", "X-Apikey: abc", "X-Pass: abc", "userToken: abc",
    ])
    func `a field that contains a credential accepts variables only`(_ line: String) {
        #expect(throws: Failure.self) { try HeaderFields(arguments: [line]) }
    }

    @Test(arguments: [
        "Authorization: Bearer $TIDEMARK_T", "Authorization: $TIDEMARK_T",
        "Authorization: Token token=\"$TIDEMARK_T\", ts=$TIDEMARK_U",
        "Authorization: Basic $TIDEMARK_USER:$TIDEMARK_PASSWORD",
        "X-API-Key: $TIDEMARK_T", "X-Auth-Token: Bearer $TIDEMARK_T",
        "Cookie: session=$TIDEMARK_S; id=$TIDEMARK_U",
    ])
    func `a scheme, parameter names and separators may surround a variable`(
        _ line: String
    ) throws {
        #expect(try HeaderFields(arguments: [line]).lines == [line])
    }

    @Test(arguments: [
        "X-Vault: hvs.ABCDEF123456", "X-Access: sk-live-123456", "X-Figma: figd_123456",
        "Api: sk-live-1234567", "X-Tenant: a b9c8d7e6f5a4b3c2",
    ])
    func `a literal that looks generated is a credential in any field`(_ line: String) {
        #expect(throws: Failure.self) { try HeaderFields(arguments: [line]) }
        #expect(throws: Never.self) { try HeaderFields([line]) }
    }

    @Test(arguments: [
        "X-Monkey: banana", "X-Client: films 1.0", "X-Author: bob", "X-Passport: 12",
        "X-App-Id: 3", "Accept: application/vnd.example.v20260101+json", "X-Since: 2026-01-01",
        "Prefer: odata.maxpagesize=500", "X-Client: my-application-name-v2",
        "X-Country-Code: DE",
    ])
    func `a literal in any other field is accepted`(_ line: String) throws {
        #expect(try HeaderFields(arguments: [line]).lines == [line])
    }
}
