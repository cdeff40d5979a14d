import Foundation
import TidemarkJSON
import TidemarkModel

extension Configuration {
    /// The configured limits.
    ///
    /// A limit that is not configured has its default value.
    var limits: Limits { service?.limits?.limits ?? Limits() }

    /// The section `limits`.
    struct LimitsSection: Decodable {
        let limits: Limits

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case concurrency, timeout, pageLimit, attempts, redirects, answerTime, retryTime, pause
            case bodyBytes, bodyInMemory, jsonItemBytes, jsonItemTokens, rejections, assetBytes
            case conflictAge, conflictRecords
        }

        /// Reads the section.
        ///
        /// - Parameter decoder: The decoder.
        /// - Throws: ``Failure`` that names the key if a value is invalid or not positive;
        ///   `DecodingError`.
        init(from decoder: any Decoder) throws {
            try decoder.allow(CodingKeys.self)
            let values = try decoder.container(keyedBy: CodingKeys.self)
            var limits = Limits()
            func set<Limit>(
                _ limit: WritableKeyPath<Limits, Limit>,
                _ key: CodingKeys,
                by parse: (String, String) throws -> Limit
            ) throws {
                guard let text = try values.decodeIfPresent(String.self, forKey: key) else {
                    return
                }
                limits[keyPath: limit] = try parse(text, key.rawValue)
            }
            func setNumber(_ limit: WritableKeyPath<Limits, Int>, _ key: CodingKeys) throws {
                guard let number = try values.decodeIfPresent(Int.self, forKey: key) else { return }
                guard number > 0 else {
                    throw Failure(.data, "service.limits.\(key.rawValue) must be at least 1.")
                }
                limits[keyPath: limit] = number
            }
            try setNumber(\.concurrency, .concurrency)
            try setNumber(\.http.pages, .pageLimit)
            try setNumber(\.http.attempts, .attempts)
            try setNumber(\.http.redirects, .redirects)
            try setNumber(\.http.consecutiveRejections, .rejections)
            try setNumber(\.json.itemTokens, .jsonItemTokens)
            try setNumber(\.conflicts.records, .conflictRecords)
            try set(\.http.idleTimeout, .timeout, by: Self.duration)
            try set(\.http.responseTime, .answerTime, by: Self.duration)
            try set(\.http.retryTime, .retryTime, by: Self.duration)
            try set(\.http.pause, .pause, by: Self.duration)
            try set(\.conflicts.age, .conflictAge, by: Self.duration)
            try set(\.http.bodyBytes, .bodyBytes, by: Self.size)
            try set(\.http.bodyInMemory, .bodyInMemory, by: Self.size)
            try set(\.http.assetBytes, .assetBytes, by: Self.size)
            try set(\.json.itemBytes, .jsonItemBytes, by: Self.size)
            limits.http.bodyInMemory = min(limits.http.bodyInMemory, limits.http.bodyBytes)
            self.limits = limits
        }

        private static func duration(_ text: String, for name: String) throws -> Duration {
            guard let duration = Duration(written: text) else {
                throw Failure(.data, "service.limits.\(name): write 30s, 500ms or 2m, not \(text).")
            }
            return duration
        }

        private static func size(_ text: String, for name: String) throws -> Int {
            guard let size = Int(writtenSize: text) else {
                throw Failure(
                    .data,
                    "service.limits.\(name): write 8MiB, 64KiB or 2GiB, not \(text)."
                )
            }
            return size
        }
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
