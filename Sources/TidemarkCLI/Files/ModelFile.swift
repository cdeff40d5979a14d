import Foundation
import TidemarkCoreData
import TidemarkModel
import TidemarkYAML

/// Loads a model from a file or folder, in any supported format.
enum ModelFile {
    /// The maximum size of a model in YAML or JSON: 16 MiB.
    private static let sizeLimit = 16 << 20

    /// Loads and validates a model: a Core Data model, or one in YAML or JSON.
    static func load(_ path: String) throws -> Model {
        let model = try read(path)
        try model.validate()
        return model
    }

    /// Loads a model without validating it.
    static func read(_ path: String) throws -> Model {
        let name = URL(fileURLWithPath: path)
        switch name.pathExtension.lowercased() {
        case "yml", "yaml", "json": return try readText(path)
        default: return try ModelBundle.model(at: path)
        }
    }

    private static func readText(_ path: String) throws -> Model {
        let text = try TextFile.read(path, limit: sizeLimit) {
            ModelError(.notFound, "There is no model at \(path).")
        }
        do {
            let yaml = try YAMLText(text)
            return try Model.decoding { try yaml.decode(Model.self) }
        } catch let error as YAMLText.Failure {
            throw ModelError(.unreadable, error.sentence(about: path))
        } catch let error as ModelError {
            throw ModelError(error.code, "\(path): \(error.message)", hint: error.hint)
        }
    }
}
