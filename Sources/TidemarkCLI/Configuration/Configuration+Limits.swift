import Foundation
import TidemarkJSON
import TidemarkModel

extension Configuration {
    /// Returns the configured limits.
    ///
    /// A limit that is not configured has its default value.
    func limits() throws -> Limits {
        try service?.limits?.limits() ?? Limits()
    }
}

extension Configuration.LimitsSection {
    /// Returns the default limits with those of this section applied.
    ///
    /// - Throws: ``Failure`` that names the key if a value is invalid or not positive.
    fileprivate func limits() throws -> Limits {
        var limits = Limits()
        limits.concurrency = try positive(concurrency, for: "concurrency") ?? limits.concurrency
        limits.http.pages = try positive(pageLimit, for: "pageLimit") ?? limits.http.pages
        limits.http.attempts = try positive(attempts, for: "attempts") ?? limits.http.attempts
        limits.http.redirects = try positive(redirects, for: "redirects") ?? limits.http.redirects
        limits.http.idleTimeout = try duration(timeout, for: "timeout") ?? limits.http.idleTimeout
        limits.http.responseTime =
            try duration(answerTime, for: "answerTime") ?? limits.http.responseTime
        limits.http.retryTime = try duration(retryTime, for: "retryTime") ?? limits.http.retryTime
        limits.http.bodyBytes = try size(bodyBytes, for: "bodyBytes") ?? limits.http.bodyBytes
        limits.http.bodyInMemory =
            try size(bodyInMemory, for: "bodyInMemory") ?? limits.http.bodyInMemory
        limits.http.bodyInMemory = min(limits.http.bodyInMemory, limits.http.bodyBytes)
        limits.json.itemBytes =
            try size(jsonItemBytes, for: "jsonItemBytes") ?? limits.json.itemBytes
        limits.json.itemTokens =
            try positive(jsonItemTokens, for: "jsonItemTokens") ?? limits.json.itemTokens
        limits.http.consecutiveRejections =
            try positive(rejections, for: "rejections") ?? limits.http.consecutiveRejections
        limits.http.assetBytes = try size(assetBytes, for: "assetBytes") ?? limits.http.assetBytes
        limits.conflicts.age = try duration(conflictAge, for: "conflictAge") ?? limits.conflicts.age
        limits.conflicts.records =
            try positive(conflictRecords, for: "conflictRecords") ?? limits.conflicts.records
        return limits
    }

    private func positive(_ number: Int?, for name: String) throws -> Int? {
        guard let number else { return nil }
        guard number > 0 else {
            throw Failure(.data, "service.limits.\(name) must be at least 1.")
        }
        return number
    }

    private func duration(_ text: String?, for name: String) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = Duration(written: text) else {
            throw Failure(.data, "service.limits.\(name): write 30s, 500ms or 2m, not \(text).")
        }
        return duration
    }

    private func size(_ text: String?, for name: String) throws -> Int? {
        guard let text else { return nil }
        guard let size = Int(writtenSize: text) else {
            throw Failure(.data, "service.limits.\(name): write 8MiB, 64KiB or 2GiB, not \(text).")
        }
        return size
    }
}

extension Int {
    /// Parses a number of bytes such as `8MiB`, `64 KiB`, `1.5GiB`, `2MB` or `4096`.
    ///
    /// Returns nil for less than one byte and for more than 1 TiB.
    init?(writtenSize text: String) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let units: [String: Double] = [
            "": 1, "B": 1, "KiB": 1_024, "MiB": 1_048_576, "GiB": 1_073_741_824, "kB": 1e3,
            "KB": 1e3, "MB": 1e6, "GB": 1e9,
        ]
        let name = text.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Double(digits), let unit = units[String(name)] else { return nil }
        let bytes = number * unit
        guard bytes >= 1, bytes <= 1_099_511_627_776 else { return nil }
        self = Int(bytes)
    }
}
