import Testing

@testable import Tidy

/// The dependencies that the package manifest declares.
///
/// The build system recompiles targets along declared dependencies. An import that is not declared
/// compiles, but after a change of the imported target it can leave code that was compiled for the
/// old layout of a type.
struct ManifestTests {
    @Test func `a target declares the modules of this package that it imports`() throws {
        let text = try #require(Project.current.files.first { $0.path == "Package.swift" })
        let manifest = Manifest(text.lines.joined(separator: "\n"))
        #expect(manifest.dependencies.count > 20)
        let findings = FileSet.swift.files.flatMap { Self.findings($0, manifest) }
        #expect(findings.isEmpty, "\(findings.listed)")
    }

    @Test func `an import that is not declared is found`() {
        let manifest = Manifest(
            """
            .target(name: "Model"), .target(name: "Store", dependencies: ["Model"]),
            .testTarget(name: "StoreTests", dependencies: ["Store", .product(name: "Other")])
            """
        )
        let texts = [
            "import Model": 1, "@testable import Model": 1, "import Store": 0, "import Other": 0,
        ]
        for (text, count) in texts {
            let file = SourceFile(path: "Tests/StoreTests/A.swift", text: text)
            #expect(Self.findings(file, manifest).count == count, "\(text)")
        }
    }

    private static func findings(_ file: SourceFile, _ manifest: Manifest) -> [Finding] {
        guard let target = file.target, let declared = manifest.dependencies[target] else {
            return []
        }
        return Import.all(in: file)
            .filter { manifest.dependencies[$0.module] != nil && !declared.contains($0.module) }
            .map { file.finding($0.line, "\(target) does not declare \($0.module).") }
    }
}
