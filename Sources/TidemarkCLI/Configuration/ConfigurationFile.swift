import Foundation
import TidemarkModel
import TidemarkYAML

/// A parsed `tidemark.yml`, and the folder to which its paths are relative.
struct ConfigurationFile {
    let path: String
    let configuration: Configuration

    /// The digest of the text of the file.
    let digest: String

    /// The absolute path of the file, with symbolic links resolved.
    var absolutePath: String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// The file name that is used if none is given.
    static let usualName = "tidemark.yml"

    private static let sizeLimit = 1 << 20

    /// Reads a configuration.
    ///
    /// - Throws: ``Failure`` if the file does not exist or is invalid.
    static func read(_ path: String) throws -> ConfigurationFile {
        let text = try TextFile.read(path, limit: sizeLimit) {
            Failure(
                .notFound,
                "There is no configuration at \(path). Name one, or write \(usualName)."
            )
        }
        do {
            let configuration = try YAMLText(text).decode(Configuration.self)
            return ConfigurationFile(path: path, configuration: configuration, digest: text.sha256)
        } catch let error as YAMLText.Failure {
            throw Failure(.data, error.sentence(about: path))
        } catch let error as DecodingError {
            throw Failure(.data, "\(path): \(sentence(error))")
        }
    }

    /// Returns the configuration of the current folder, or nil if it has no file.
    static func inCurrentFolder() throws -> ConfigurationFile? {
        guard FileManager.default.fileExists(atPath: usualName) else { return nil }
        return try read(usualName)
    }

    /// Resolves a path of the configuration against the configuration's folder.
    func resolve(_ name: String) -> String {
        guard !name.hasPrefix("/") else { return name }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return folder.appendingPathComponent(name).path
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            return "\(keyPath(context.codingPath + [key])) is missing."
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(keyPath(context.codingPath)): expected \(kind(type))."
        case .dataCorrupted(let context):
            return context.debugDescription
        @unknown default:
            return "\(error)"
        }
    }

    /// Returns the YAML term for a type.
    private static func kind(_ type: Any.Type) -> String {
        switch "\(type)".prefix(while: { $0 != "<" }) {
        case "Mapping", "Dictionary": "a mapping (key: value)"
        case "Sequence", "Array": "a list"
        case "Int": "a whole number"
        case "Bool": "true or false"
        default: "a single value"
        }
    }

    private static func keyPath(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "The file" : path.keyPath
    }
}
