import Foundation
import TidemarkImport
import TidemarkModel
import TidemarkStore

// LibraryImport scan DOCUMENT
// LibraryImport import|again|walk|readers DOCUMENT STORE MODEL
// LibraryImport scoped STORE
//
// Calls the library and prints the measurements as one line of JSON.

let arguments = Array(CommandLine.arguments.dropFirst())
let figures: [String: Double]
switch (arguments.first, arguments.count) {
case ("scan", 2): figures = try Trial.scan(arguments[1])
case ("import", 4): figures = try Trial(arguments).importDocument()
case ("again", 4):
    try Trial.warmUp(arguments)
    figures = try Trial(arguments).importDocument()
case ("walk", 4): figures = try Trial(arguments).walk()
case ("readers", 4): figures = try Trial(arguments).importBesideReader()
case ("scoped", 2): figures = try ScopedTrial(arguments[1]).run()
default:
    FileHandle.standardError.write(Data("usage: LibraryImport TRIAL DOCUMENT STORE MODEL\n".utf8))
    exit(64)
}
print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
