import Testing

@testable import Tidy

/// The reader of declarations, on which rules and measures rely.
struct OutlineTests {
    @Test func `declarations are named by the types around them`() {
        let file = Self.file(
            """
            public struct A<T>: B where T: C {
                enum D { case e(F), g; indirect case h }
                private(set) var i: [Int: String] { didSet { let j = 1 } }
                @K(l: { m() }) public static func n() { struct O {} }
            }
            extension A.D { init?(_ p: Int = { let q = 1; return q }()) {} }
            """
        )
        let names = file.outline.declarations.map { "\($0.keyword) \($0.name)" }
        #expect(
            names == [
                "struct A", "enum A.D", "case e", "case h", "var i", "let j", "func n",
                "struct O", "extension A.D", "init init", "let q",
            ]
        )
        #expect(file.publicTypes.map(\.name) == ["A"])
        #expect(file.storedProperties(of: file.types[0]).map(\.name) == ["i"])
    }

    @Test(arguments: [
        ("let a: Int", true), ("var a = { 1 }()", true), ("var a: Int { 1 }", false),
        ("var a: Int { willSet {} }", true), ("lazy var a: Int = b { $0 }", true),
        ("var a: Int {\nget { 1 }\nset {}\n}", false), ("@A(b: 1) var a: Int?", true),
        ("static let a = 1", false), ("func a() { let b = 1 }", false),
        ("case a(Int)", false), ("let a: A\n@B var c: Int { 1 }", true),
    ])
    func `distinguishes stored properties from others`(member: String, isStored: Bool) {
        let file = Self.file("struct S {\n\(member)\n}")
        #expect(file.storedProperties(of: file.types[0]).count == (isStored ? 1 : 0))
    }

    @Test(
        arguments: [
            ("func a(_ b: Int, c d: Int, e: [A: B] = [:])", [nil, "c", "e"]),
            (
                "func a<T: B>(@C d: T, @E f g: (H, I) -> J = { k, l in m }, n: O<P, Q>)",
                ["d", "f", "n"]
            ),
            ("subscript(a: Int, b c: Int) -> D { get }", [nil, "b"]), ("init?()", []),
        ] as [(String, [String?])]
    )
    func `parameters have labels or none`(text: String, labels: [String?]) {
        #expect(Self.file(text).outline.functions.first?.parameters.map(\.label) == labels)
    }

    @Test func `calls and patterns are not declarations`() {
        let file = Self.file(
            """
            func a() {
                b.init(c)
                switch d { case .e: self.init(f) }
                actor.run()
                class.g()
            }
            """
        )
        #expect(file.outline.declarations.map(\.name) == ["a"])
        #expect(Self.file("a.open(b)\nlet c = 1").publicDeclarations.isEmpty)
        let local = Self.file("func a() { struct B { let c = 1 }\nif d { let e = 1 } }")
        #expect(local.storedProperties(of: local.types[0]).map(\.name) == ["c"])
    }

    @Test func `lines are code, documentation or reasons`() {
        let file = Self.file(
            #"""
            // Why.
            // MARK: - A
            /// Documentation,
            /// of two lines.
            @B
            public func a() {  // after code

                b("""
                    // text
                    """)
            }
            """#
        )
        #expect(file.reasons == [0])
        #expect(file.codeLines == [4, 5, 7, 8, 9, 10])
        #expect(file.publicDeclarations.map { file.documentation(of: $0).count } == [2])
    }

    @Test func `requirements and cases are as public as their types`() {
        let file = Self.file(
            """
            public protocol A { func b(); var c: Int { get } }
            public enum D { case e; func f() { switch g { case h: i() } } }
            protocol J { func k() }
            extension D { public func l() {} }
            """
        )
        #expect(file.publicDeclarations.map(\.name) == ["A", "b", "c", "D", "e", "l"])
    }

    private static func file(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/A/A.swift", text: text)
    }
}
