import Foundation
import HTTPTypes
import Testing
import TidemarkModel

@testable import TidemarkRemote

/// How long the pauses are that services request.
struct RetryAfterTests {
    /// The time of a manual clock: Fri, 14 Jul 2017 02:40:00 GMT.
    private let now = Date(timeIntervalSince1970: 1_500_000_000)
    private let limit = Duration.seconds(86_400)

    private func fields(_ name: String, _ value: String) throws -> HTTPFields {
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name(name))] = value
        return fields
    }

    @Test(arguments: [
        ("30", 30.0), (" 30 ", 30), ("0", 0), ("-5", 0), ("86400", 86_400), ("86401", 86_400),
        ("31536000000", 86_400), ("9223372036854775807", 86_400), ("-9223372036854775808", 0),
        ("Fri, 14 Jul 2017 02:40:30 GMT", 30), ("Fri, 14 Jul 2017 02:39:30 GMT", 0),
        ("Sun, 14 Jul 2117 02:40:30 GMT", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
    ])
    func `a pause is as long as the service says, and not longer than the limit`(
        _ value: String,
        _ seconds: Double
    ) throws {
        let fields = try fields("Retry-After", value)
        #expect(RetryAfter.wait(in: fields, now: now, atMost: limit) == .seconds(seconds))
        #expect(RetryAfter.pause(in: fields, now: now, atMost: limit) == .seconds(seconds))
    }

    @Test(arguments: [("30", 30.0), ("31536000000", 86_400), ("9223372036854775807", 86_400)])
    func `so is one of Backoff`(_ value: String, _ seconds: Double) throws {
        let fields = try fields("Backoff", value)
        #expect(RetryAfter.pause(in: fields, now: now, atMost: limit) == .seconds(seconds))
        #expect(RetryAfter.wait(in: fields, now: now, atMost: limit) == nil)
    }

    @Test(arguments: ["", "soon", "1e9", "99999999999999999999", "0x10", "٣٠", "30s", "Sunday"])
    func `what is neither a number nor a date is ignored`(_ value: String) throws {
        #expect(
            RetryAfter.wait(in: try fields("Retry-After", value), now: now, atMost: limit) == nil
        )
    }

    @Test func `the limit is that of the client`() throws {
        var limits = Limits()
        #expect(limits.http.pause == .seconds(86_400))
        limits.http.pause = .seconds(5)
        let fields = try fields("Retry-After", "30")
        #expect(
            RetryAfter.wait(in: fields, now: now, atMost: limits.http.pause) == .seconds(5)
        )
    }
}
