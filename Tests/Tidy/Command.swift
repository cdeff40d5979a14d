import Foundation

/// The command behind `scripts/measure` and `make examples`.
@main
enum Command {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.dropFirst().first) {
        case ("measure", let tree?): print(MeasureTable(Project(URL(filePath: tree))))
        case ("examples", nil): try ExampleFile.write(for: .current)
        default:
            print("usage: Tidy measure TREE | examples")
            exit(64)
        }
    }
}
