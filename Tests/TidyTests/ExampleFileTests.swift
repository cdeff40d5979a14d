import Foundation
import Testing

@testable import Tidy

/// The examples of documentation comments, which are compiled with the tests.
struct ExampleFileTests {
    @Test func `the generated files are up to date`() throws {
        let project = Project.current
        let folder = project.folder.appending(path: ExampleFile.folder)
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return "\(ExampleFile.folder)/\(name)\n\(text)"
        }
        let expected = ExampleFile.all(in: project).map { "\($0.path)\n\($0.text)" }
        #expect(written.sorted() == expected.sorted(), "Run `make examples`.")
    }

    @Test func `a block becomes a function`() {
        let file = SourceFile(
            path: "Sources/A/A.swift",
            text: """
                /// A list.
                ///
                /// <!-- example: let a = 1 -->
                /// ```swift
                /// b(a)
                ///
                ///     .c()
                /// ```
                ///
                /// ```
                /// text
                /// ```
                struct A {
                    /// ```swift
                    /// d()
                    /// ```
                }
                """
        )
        let functions = Example.all(in: file).map { $0.function("e") }
        #expect(
            functions == [
                "private func e() throws {\n    let a = 1\n    b(a)\n\n        .c()\n}",
                "private func e() throws {\n    d()\n}",
            ]
        )
    }

    @Test(arguments: [
        (
            "struct A {\n}\na()",
            "private func e() throws {\n    struct A {\n    }\n    a()\n}"
        ),
        ("import A\nawait a()", "import A\nprivate func e() async throws {\n    await a()\n}"),
        (
            "struct A {}\nextension A: B {\n}\nlet c = A()",
            "struct A {}\nextension A: B {\n}\nprivate func e() throws {\n    let c = A()\n}"
        ),
    ])
    func `imports and extensions precede the function`(block: String, function: String) {
        let lines = block.split(separator: "\n").map(String.init)
        #expect(Example(lines: lines).function("e") == function)
    }
}
