@testable import Tidy

/// A set of files of the project, selected by the beginning and the end of their paths.
struct FileSet: Sendable {
    /// All text files of the project.
    static let all = FileSet()

    /// All Swift files.
    static let swift = FileSet(ending: ".swift")

    /// The Swift files of `Sources`.
    static let sources = FileSet("Sources/", ending: ".swift")

    /// The Swift files of `Tests`.
    static let tests = FileSet("Tests/", ending: ".swift")

    /// Returns the Swift files of a target in `Sources`.
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

    /// Returns the set without the files whose paths begin with one of these.
    func except(_ paths: String...) -> FileSet {
        FileSet(folder, ending: ending, except: exceptions + paths)
    }

    /// The files that exist.
    var files: [SourceFile] {
        Project.current.files.filter { file in
            file.path.hasPrefix(folder) && file.path.hasSuffix(ending)
                && !exceptions.contains { file.path.hasPrefix($0) }
        }
    }
}
