import Foundation
import TidemarkModel
import TidemarkStore
import Testing

struct SampleTests {
    @Test func `probe`() throws {
        let root = URL(filePath: "/work/shared")
        for suite in ["sync", "converge"] {
            let folder = root.appending(path: "conformance/\(suite)/cases")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".json") {
                let json = try JSONSerialization.jsonObject(with: try Data(contentsOf: folder.appending(path: name))) as? [String: Any] ?? [:]
                var samples: [(String, String, String)] = []
                for step in json["steps"] as? [[String: Any]] ?? [] where step["op"] as? String == "sync" && step["root"] == nil {
                    guard let entity = step["entity"] as? String else { continue }
                    if let file = step["json"] as? String {
                        samples.append((file, entity, String(decoding: try Data(contentsOf: root.appending(path: "conformance/\(suite)/json/\(file)")), as: UTF8.self)))
                    } else if let inline = step["inline"] {
                        samples.append(("-", entity, String(decoding: try JSONSerialization.data(withJSONObject: inline), as: UTF8.self)))
                    }
                }
                if samples.isEmpty { continue }
                do { try show(name, samples) } catch { print("== \(name) THROWS \(error)") }
            }
        }
    }
    func show(_ name: String, _ samples: [(String, String, String)]) throws {
        let i = try Inferring(samples.map { (source: $0.0, entity: $0.1, text: $0.2) })
        print("== \(name)")
        for e in i.model.entities {
            print(" \(e.name) pk=\(i.model.primaryKey(of: e))")
            print("    " + e.attributes.map { "\($0.name):\($0.type.rawValue)" + ($0.remoteKey.map { "<-\($0)" } ?? "") }.joined(separator: " "))
            for r in e.relationships { print("    \(r.name) -> \(r.isToMany ? "*" : "")\(r.destination) inv \(r.inverse ?? "-") \(r.deleteRule) \(r.remoteKey ?? "") \(r.referenceKeys)") }
        }
        for n in i.inferred.notes { print("    # \(n.isDoubtful ? "?" : "") \(n)") }
        for f in i.model.findings() { print("    !\(f.severity) \(f)") }
        do { for d in try i.imported().diagnostics { print("    DIAG \(d)") } } catch { print("    IMPORT THROWS \(error)") }
    }
}
