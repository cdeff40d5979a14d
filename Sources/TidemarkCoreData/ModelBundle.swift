package import Foundation
public import TidemarkModel

/// Reads Core Data model bundles as written by Xcode: `.xcdatamodeld`, `.xcdatamodel` and their
/// `contents` files.
///
/// Use it to migrate an app from Core Data, or to edit the model in Xcode. It reads the XML source
/// on every platform, Linux included, and never the compiled `.momd`: ship the source as a
/// resource, or convert it with `tidemark model show --format json`. Settings of Tidemark, such as
/// remote keys, are entries of the user info in Xcode's model editor.
///
/// ```swift
/// let model = try ModelBundle.model(at: "Shop.xcdatamodeld")
/// let store = try Store.open(at: "shop.sqlite", model: model)
/// ```
public enum ModelBundle {
    /// The maximum size of the XML of one version in bytes.
    static let contentsLimit = 16 << 20

    /// The maximum size of `.xccurrentversion` in bytes.
    static let versionLimit = 1 << 16

    private static let versionExtension = "xcdatamodel"

    /// Reads the model at a path.
    ///
    /// If a bundle has several versions, this method reads the version that `.xccurrentversion`
    /// names. Without that file it reads the last version by name, where digits are compared as
    /// numbers (`Shop 10` is after `Shop 9`).
    ///
    /// ```swift
    /// let current = try ModelBundle.model(at: "Shop.xcdatamodeld")
    /// let former = try ModelBundle.model(at: "Shop.xcdatamodeld", version: "Shop 2")
    /// print(former.entities.count, current.entities.count)
    /// ```
    ///
    /// Files are untrusted input: one version may have at most 16 MiB, document types and external
    /// entities are rejected, and a version must not be a symbolic link to outside of its bundle.
    ///
    /// - Parameters:
    ///   - path: A bundle of versions, one version, or the `contents` file inside it.
    ///   - version: The name of the version to read, with or without `.xcdatamodel`; nil for the
    ///     current version.
    /// - Returns: The model, which is not validated; see `Model.validate()`. Opening a store with
    ///   it validates it.
    /// - Throws: `ModelError`: `notFound` if there is no file at the path, `unreadable` if it is
    ///   not a model (with line and column), `invalid` if the version does not exist or if the
    ///   model requires something that a store cannot represent.
    public static func model(at path: String, version: String? = nil) throws -> Model {
        let url = URL(fileURLWithPath: path)
        let contents = try contents(at: url, version: version)
        let data = try read(contents, limit: contentsLimit)
        let name = "\(contents.deletingLastPathComponent().lastPathComponent)/contents"
        // If the path is that of a `contents` file, messages do not name a bundle around it.
        let isLoose = contents.standardizedFileURL == url.standardizedFileURL
        return try ModelParser.model(from: data, named: isLoose ? url.lastPathComponent : name)
    }

    /// Reads the model from the XML of one version.
    ///
    /// Error messages contain `name`.
    package static func model(from contents: Data, named name: String) throws -> Model {
        try ModelParser.model(from: contents, named: name)
    }

    /// Returns the names of the versions in a bundle, from the first to the last, without
    /// `.xcdatamodel`.
    ///
    /// Use it to test that stores of every released version can be migrated to the current model.
    /// They are sorted by name, where digits are compared as numbers.
    ///
    /// ```swift
    /// let bundle = "Shop.xcdatamodeld"
    /// for version in try ModelBundle.versions(at: bundle) {   // Shop, Shop 2, Shop 10
    ///     let old = try Store.inMemory(model: ModelBundle.model(at: bundle, version: version))
    ///     let migration = try old.dryRunMigration(to: ModelBundle.model(at: bundle))
    ///     print(version, migration.steps.count)
    /// }
    /// ```
    ///
    /// - Parameter path: A bundle of versions, `.xcdatamodeld`.
    /// - Returns: The names; an empty array for a folder without versions.
    /// - Throws: `ModelError`: `notFound` if there is no bundle at the path, `unreadable` if it is
    ///   not a folder or cannot be read.
    public static func versions(at path: String) throws -> [String] {
        try versionNames(in: URL(fileURLWithPath: path)).map(bareName)
    }

    private static func bareName(_ version: String) -> String {
        String(version.dropLast(versionExtension.count + 1))
    }

    /// Returns the file that contains the XML of a model.
    private static func contents(at url: URL, version: String?) throws -> URL {
        if version == nil {
            if !isFolder(url) {
                try requireFile(url)
                return url
            }
            let contents = url.appendingPathComponent("contents")
            if FileManager.default.fileExists(atPath: contents.path) { return contents }
        }
        return try versionContents(in: url, version: version)
    }

    private static func requireFile(_ url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw ModelError(
                .notFound,
                "There is no model at “\(url.path)”.",
                hint: "Check the path."
            )
        }
    }

    /// Returns the XML file of the requested version of a bundle, or of its current one.
    private static func versionContents(in bundle: URL, version: String?) throws -> URL {
        let names = try versionNames(in: bundle)
        guard let last = names.last else { throw noModel(bundle) }
        let current = try currentVersion(of: bundle)
        let wanted = version.map {
            $0.hasSuffix(".\(versionExtension)") ? $0 : "\($0).\(versionExtension)"
        }
        let name = wanted ?? current ?? last
        guard names.contains(name) else {
            throw ModelError(
                .invalid,
                "“\(bundle.lastPathComponent)” has no version “\(name)”.",
                hint: "It has: \(names.joined(separator: ", "))."
            )
        }
        let contents = bundle.appendingPathComponent(name).appendingPathComponent("contents")
        try confine(contents, to: bundle)
        guard FileManager.default.fileExists(atPath: contents.path) else {
            throw noModel(contents.deletingLastPathComponent())
        }
        return contents
    }

    private static func versionNames(in bundle: URL) throws -> [String] {
        try requireFile(bundle)
        guard isFolder(bundle) else { throw noModel(bundle) }
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: bundle.path)
        } catch {
            throw ModelError(
                .unreadable,
                "“\(bundle.path)” cannot be read: \(error.localizedDescription)"
            )
        }
        return entries.filter { $0.hasSuffix(".\(versionExtension)") }
            .sorted { bareName($0).compare(bareName($1), options: .numeric) == .orderedAscending }
    }

    /// Returns the version that `.xccurrentversion` names, or nil if the bundle does not have that
    /// file.
    private static func currentVersion(of bundle: URL) throws -> String? {
        let file = bundle.appendingPathComponent(".xccurrentversion")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data = try read(file, limit: versionLimit)
        do {
            return try PropertyListDecoder().decode(CurrentVersion.self, from: data).name
        } catch {
            throw ModelError(
                .unreadable,
                "“\(bundle.lastPathComponent)/.xccurrentversion” is not a property list.",
                hint: "Choose the current version in Xcode again, or remove the file."
            )
        }
    }

    private struct CurrentVersion: Decodable {
        var name: String?
        private enum CodingKeys: String, CodingKey { case name = "_XCCurrentVersionName" }
    }

    /// Rejects a version that is outside its bundle because of a symbolic link.
    private static func confine(_ contents: URL, to bundle: URL) throws {
        let inside = contents.resolvingSymlinksInPath().standardizedFileURL.path
        let outside = bundle.resolvingSymlinksInPath().standardizedFileURL.path
        guard inside.hasPrefix(outside + "/") else {
            throw ModelError(
                .unreadable,
                "A version of “\(bundle.lastPathComponent)” lies outside the bundle.",
                hint: "Copy it into the bundle instead of linking to it."
            )
        }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func read(_ file: URL, limit: Int) throws -> Data {
        do {
            let values = try file.resolvingSymlinksInPath()
                .resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            // Reading a pipe or a device could block, or never end.
            guard values.isRegularFile == true else {
                throw ModelError(.unreadable, "“\(file.path)” is not a file.")
            }
            guard values.fileSize ?? 0 <= limit else {
                throw ModelError(
                    .unreadable,
                    "“\(file.path)” has more than \(limit) bytes.",
                    hint: "No model is that large; check the path."
                )
            }
            return try Data(contentsOf: file)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(
                .unreadable,
                "“\(file.path)” cannot be read: \(error.localizedDescription)"
            )
        }
    }

    private static func noModel(_ url: URL) -> ModelError {
        let isCompiled = ["mom", "momd", "omo"].contains(url.pathExtension)
        return ModelError(
            .unreadable,
            isCompiled
                ? "“\(url.lastPathComponent)” is a compiled model."
                : "“\(url.lastPathComponent)” holds no model.",
            hint: isCompiled
                ? "Give the .xcdatamodeld it was made from."
                : "Give an .xcdatamodeld, or an .xcdatamodel with a “contents” file in it; "
                    + "one from before Xcode 4.3 has none until Xcode saves it again."
        )
    }
}
