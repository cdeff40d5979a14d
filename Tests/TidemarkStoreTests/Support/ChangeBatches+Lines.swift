import TidemarkModel

@testable import TidemarkStore

extension ChangeBatches {
    /// Returns the committed changes, one per line, with `--` after each commit:
    /// `update User#1 7 name, boss`.
    func lines() throws -> [String] {
        var lines: [String] = []
        while let batch = try poll() {
            lines += batch.changes.map(\.text) + (batch.isLast ? ["--"] : [])
        }
        return lines
    }
}

extension RowChange {
    /// The change as a line: `update User#1 7 name, boss`.
    var text: String {
        let key = key.map { $0.parts.map(Self.text).joined(separator: ",") } ?? "-"
        let properties = properties.isEmpty ? "" : " \(properties.joined(separator: ", "))"
        return "\(kind) \(entity)#\(rowNumber) \(key)\(properties)"
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .string(let text): text
        default: "\(value)"
        }
    }
}
