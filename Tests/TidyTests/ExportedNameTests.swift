import Testing

@testable import Tidy

/// The list of names that are compiled next to those of Apple's frameworks.
struct ExportedNameTests {
    @Test func `NameCollisionTests lists every exported name and nothing else`() throws {
        let path = "Tests/NameCollisionTests/NameCollisionTests.swift"
        let file = try #require(Project.current.files.first { $0.path == path })
        let declared = ExportedNames(declaredIn: FileSet.sources.files)
        #expect(declared.names.count > 90)
        #expect(ExportedNames(listedIn: file) == declared)
    }

    @Test func `a public name is exported by a module that Tidemark exports`() {
        let exports = "@_exported public import TidemarkModel\npublic import TidemarkStore"
        let texts = [
            "public struct A { public enum B {} }": ["A"], "struct A {}\npackage class B {}": [],
            "extension A { public struct B {} }": [], "@frozen public enum A {}": ["A"],
            "public protocol A {}\nopen class B {}": ["A", "B"], "public func a() {}": ["a"],
            "public let a = 1\npublic typealias B = Int": ["B", "a"], "// public struct A {}": [],
        ]
        for (text, names) in texts {
            let files = [
                SourceFile(path: "Sources/Tidemark/Exports.swift", text: exports),
                SourceFile(path: "Sources/TidemarkModel/A.swift", text: text),
                SourceFile(path: "Sources/TidemarkStore/C.swift", text: "public struct C {}"),
            ]
            #expect(ExportedNames(declaredIn: files).names == names, "\(text)")
        }
    }

    @Test func `a name is listed as a type, a protocol or a generic type`() {
        let text = """
            struct Tests {
                // D
                private typealias Exported = Types<
                    C<Never>,
                    A,
                    any B
                >

                @Test func e() { F() }
            }
            """
        let file = SourceFile(path: "Tests/Tests/Tests.swift", text: text)
        #expect(ExportedNames(listedIn: file).names == ["A", "B", "C"])
    }
}
