/// Files of the project, chosen by where they stand and how their names end.
struct FileSet: Sendable {
    /// All text files that people write.
    static let all = FileSet()

    /// All Swift files.
    static let swift = FileSet(ending: ".swift")

    /// The Swift files of `Sources`.
    static let sources = FileSet("Sources/", ending: ".swift")

    /// The Swift files of `Tests`.
    static let tests = FileSet("Tests/", ending: ".swift")

    /// The sources of a target.
    static func target(_ name: String) -> FileSet {
        FileSet("Sources/\(name)/", ending: ".swift")
    }

    private let folder: String
    private let ending: String
    private let exceptions: [String]

    init(_ folder: String = "", ending: String = "", except exceptions: [String] = []) {
        self.folder = folder
        self.ending = ending
        self.exceptions = exceptions
    }

    /// The same without what stands at these paths, or below them.
    func except(_ paths: String...) -> FileSet {
        FileSet(folder, ending: ending, except: exceptions + paths)
    }

    /// The files, which are there or not.
    var files: [SourceFile] {
        Project.files.filter { file in
            file.path.hasPrefix(folder) && file.path.hasSuffix(ending)
                && !exceptions.contains { file.path.hasPrefix($0) }
        }
    }
}
