import Foundation

/// The samples of the conformance suites, if their folder exists next to the package.
enum ConformanceSamples {
    /// The names of all cases, such as `sync/225ReplacedTag.json`.
    static let cases = names(in: "cases")

    /// The names of all sample files, such as `sync/225-a.json`.
    static let files = names(in: "json")

    private static let suites = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "../../../../shared/conformance").standardized

    private static func names(in folder: String) -> [String] {
        ["sync", "converge"].flatMap { suite -> [String] in
            let location = suites.appending(path: "\(suite)/\(folder)").path
            let names = (FileManager.default.enumerator(atPath: location)?.allObjects ?? [])
                .compactMap { $0 as? String }
            return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(suite)/\($0)" }
        }
    }

    /// Returns the sample in a file, with the name of the file as its source.
    static func file(_ name: String) throws -> [Inferring.Sample] {
        let parts = name.split(separator: "/", maxSplits: 1)
        return [Inferring.Sample(source: name, text: try text("\(parts[0])/json/\(parts[1])"))]
    }

    /// Returns the samples that a case imports, with the entities that it imports them into.
    static func ofCase(_ name: String) throws -> [Inferring.Sample] {
        let parts = name.split(separator: "/", maxSplits: 1)
        let location = suites.appending(path: "\(parts[0])/cases/\(parts[1])")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: location))
        let steps = (object as? [String: Any])?["steps"] as? [[String: Any]] ?? []
        return try steps.compactMap { step in
            guard step["op"] as? String == "sync", step["root"] == nil,
                let entity = step["entity"] as? String
            else { return nil }
            if let file = step["json"] as? String {
                let text = try text("\(parts[0])/json/\(file)")
                return Inferring.Sample(source: file, entity: entity, text: text)
            }
            guard let inline = step["inline"] else { return nil }
            let data = try JSONSerialization.data(withJSONObject: inline)
            let text = String(decoding: data, as: UTF8.self)
            return Inferring.Sample(source: "inline", entity: entity, text: text)
        }
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: suites.appending(path: path)), as: UTF8.self)
    }
}
