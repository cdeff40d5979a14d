package import Foundation

/// The conformance data next to the package, if present.
package enum ConformanceData {
    /// The folder of the conformance suites, or nil if it is absent.
    package static let folder: URL? = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        while folder.path != "/", !exists(folder.appendingPathComponent("Package.swift")) {
            folder.deleteLastPathComponent()
        }
        let shared = folder.deletingLastPathComponent().appendingPathComponent("shared/conformance")
        return exists(shared) ? shared : nil
    }()

    /// Whether the data is present.
    package static var isPresent: Bool { folder != nil }

    /// The paths of the models of all suites.
    package static let models: [String] = ["sync", "converge"].flatMap { suite -> [String] in
        guard let folder = folder?.appendingPathComponent("\(suite)/models") else { return [] }
        let names = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [])
            .compactMap { $0 as? String }
        return names.filter { !$0.contains("/") && $0.contains(".xcdatamodel") }.sorted()
            .map { "\(suite)/models/\($0)" }
    }

    /// Returns the path of a file of the suites.
    package static func path(_ name: String) throws -> String {
        struct Absent: Error {}
        guard let folder else { throw Absent() }
        return folder.appendingPathComponent(name).path
    }

    /// Decodes a JSON file of the suites.
    package static func json<Body: Decodable>(
        _ name: String,
        as body: Body.Type = Body.self
    ) throws -> Body {
        let data = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        return try JSONDecoder().decode(body, from: data)
    }

    private static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path)
    }
}
