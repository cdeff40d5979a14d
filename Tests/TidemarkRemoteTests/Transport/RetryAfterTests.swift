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

    // MARK: Rate limits

    @Test(arguments: [
        ("X-RateLimit-", "1500000030", 30.0), ("RateLimit-", "45", 45),
        ("X-Rate-Limit-", "7.5", 7.5),
        ("x-ratelimit-", "1500000030000", 30), ("X-RateLimit-", "1400000000", 0),
        ("RateLimit-", "1e300", 86_400), ("RateLimit-", "-5", 0),
        ("X-RateLimit-", "99999999", 86_400),
    ])
    func `a limit that is used up lasts until it is reset`(
        prefix: String,
        reset: String,
        seconds: Double
    ) throws {
        var used = try fields(prefix + "Remaining", "0")
        used[try #require(HTTPField.Name(prefix + "Reset"))] = reset
        #expect(RetryAfter.delay(in: used, now: now, atMost: limit) == .seconds(seconds))
        #expect(RateLimit.isReached(.forbidden, used))
        // What the service requests itself comes first, and only that pauses other requests.
        #expect(RetryAfter.pause(in: used, now: now, atMost: limit) == nil)
        used[.retryAfter] = "3"
        #expect(RetryAfter.delay(in: used, now: now, atMost: limit) == .seconds(3))
    }

    @Test(arguments: [
        [:], ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"], ["X-RateLimit-Reset": "30"],
        ["X-RateLimit-Remaining": "none", "X-RateLimit-Reset": "30"],
        ["X-RateLimit-Limit": "0", "X-RateLimit-Reset": "30"],
    ])
    func `403 means a missing permission unless no requests are left`(
        values: [String: String]
    ) throws {
        var fields = HTTPFields()
        for (name, value) in values { fields[try #require(HTTPField.Name(name))] = value }
        #expect(!RateLimit.isReached(.forbidden, fields))
        #expect(RateLimit.isReached(.tooManyRequests, fields))
        #expect(RetryAfter.delay(in: fields, now: now, atMost: limit) == nil)
    }

    @Test(arguments: ["nan", "inf", "soon", ""])
    func `a reset without a number is ignored`(reset: String) throws {
        var fields = try fields("RateLimit-Remaining", "0")
        fields[try #require(HTTPField.Name("RateLimit-Reset"))] = reset
        #expect(RetryAfter.delay(in: fields, now: now, atMost: limit) == nil)
        #expect(!RateLimit.isReached(.notFound, fields))
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
