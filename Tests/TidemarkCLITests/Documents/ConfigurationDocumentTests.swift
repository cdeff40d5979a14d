import Foundation
import Testing
import TidemarkRemote

/// The keys and presets in `docs/tidemark-yml.md`, compared with those that the command reads.
struct ConfigurationDocumentTests {
    private static func text(_ path: String) throws -> String {
        String(
            decoding: try Data(contentsOf: Tidemark.package.appending(path: path)),
            as: UTF8.self
        )
    }

    /// Returns the cells of all table rows of the document.
    private static func rows() throws -> [[String]] {
        try text("docs/tidemark-yml.md").split(separator: "\n").filter { $0.hasPrefix("|") }.map {
            $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `every key of the configuration is described, and no other`() throws {
        let folder = "Sources/TidemarkCLI/Configuration"
        let source = try ["Configuration", "Configuration+Limits"]
            .map { try Self.text("\(folder)/\($0).swift") }.joined(separator: "\n")
        let cases = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("case ") && !$0.contains("(") && !$0.contains(".") }
        let keys = Set(
            cases.flatMap { $0.dropFirst(5).split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) }
        )
        .union(PushStyle.Option.allCases.map(\.rawValue))
        .union(PushStyle.RequestOption.allCases.map(\.rawValue))
        #expect(keys.count > 25)
        let document = try Self.text("docs/tidemark-yml.md")
        for key in keys where !document.contains("`\(key)`") && !document.contains("`\(key): ") {
            Issue.record("\(key) is described nowhere.")
        }
        let described = try Self.rows().compactMap(\.first)
            .filter { $0.hasPrefix("`") }
            .flatMap { $0.filter { $0 != "`" && $0 != "," }.split(separator: " ").map(String.init) }
        #expect(described.count > 25)
        for key in described where !keys.contains(key) {
            Issue.record("\(key) is described, but is not a key.")
        }
    }

    @Test func `the table of presets matches how they send changes`() throws {
        let rows = try Self.rows()
        let names = ["rest", "rails", "parse", "kinto", "jsonapi"]
        let head = try #require(rows.firstIndex { $0.dropFirst() == names.map { "`\($0)`" }[...] })
        let table = rows[(head + 2)...].prefix { row in
            PushStyle.Option(rawValue: row[0].filter { $0 != "`" }) != nil
        }
        #expect(table.count == 19)
        for row in table {
            let option = try #require(PushStyle.Option(rawValue: row[0].filter { $0 != "`" }))
            for (name, cell) in zip(names, row.dropFirst()) where !cell.isEmpty {
                let style = try #require(PushStyle.presets[name])
                var described = style
                let text = cell.split(separator: "`").first.map(String.init) ?? ""
                let isValid = described.set(option, to: text)
                #expect(isValid, "\(name), \(option)")
                #expect(described == style, "\(name), \(option)")
            }
        }
    }

    @Test func `the table of presets matches the presets`() throws {
        let rows = try Self.rows()
        let names = ["rest", "rails", "parse", "kinto", "jsonapi"]
        let head = try #require(rows.lastIndex { $0.dropFirst() == names.map { "`\($0)`" }[...] })
        let table = Dictionary(
            rows[head...].filter { $0.count == 6 }.map { ($0[0].filter { $0 != "`" }, $0) }
        ) { first, _ in first }
        #expect(table.count == 14)
        let url = try #require(URL(string: "https://a.example/"))
        for (column, name) in names.enumerated() {
            let service = try #require(Service.presets[name]?(url))
            /// Returns the code in a cell, or an empty string for an empty cell; nil if it contains
            /// prose.
            func cell(_ row: String) throws -> String? {
                let text = try #require(table[row])[column + 1]
                guard text.hasPrefix("`") else { return text.isEmpty ? "" : nil }
                return text.filter { $0 != "`" }
            }
            func check<Value: Equatable>(
                _ row: String,
                _ value: Value,
                _ read: (String) -> Value?
            ) throws {
                guard let text = try cell(row) else { return }
                #expect(read(text) == value, "\(name), \(row)")
            }
            let style = service.style
            try check("path", service.path) { $0 }
            try check("envelope", style.envelope) { Envelope(option: $0) }
            try check("pagination", style.pagination) { Pagination(option: $0) }
            try check("pageSize", style.parameters.pageSize) { QueryItem.items($0) }
            try check("order", style.parameters.order) { QueryItem.items($0) }
            try check("drift", style.stability) { PageStability(rawValue: $0) }
            try check("total", style.total) { TotalCount(option: $0) }
            try check("count", style.count) { CountRequest(option: $0) }
            try check("delta", style.delta) { ChangeQuery(option: $0) }
            try check("deletes", style.deletes) { DeletionDetection(option: $0) }
            try check("keys", style.parameters.keys) { $0 == "none" ? nil : QueryItem.items($0) }
            try check("validation", style.validation) { CachePolicy(rawValue: $0) }
        }
    }
}
