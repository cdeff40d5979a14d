import Foundation

// Generate USERS FILE [--change PERCENT] [--notes COUNT] [--managers earlier|later]
//     [--unknown-keys]

var arguments = CommandLine.arguments.dropFirst()
var document = UserDocument()
var positional: [String] = []
while let argument = arguments.popFirst() {
    switch argument {
    case "--change": document.changedPercent = arguments.popFirst().flatMap(Int.init) ?? 0
    case "--notes": document.notesOfUser = arguments.popFirst().flatMap(Int.init) ?? 0
    case "--managers":
        document.managers = arguments.popFirst().flatMap(UserDocument.Managers.init) ?? .earlier
    case "--unknown-keys": document.hasUnknownKeys = true
    default: positional.append(argument)
    }
}
guard positional.count == 2, let users = Int(positional[0]), let file = fopen(positional[1], "w")
else {
    FileHandle.standardError.write(Data("usage: Generate USERS FILE [options]\n".utf8))
    exit(64)
}
document.users = users
document.forEachChunk { chunk in
    var chunk = chunk
    _ = chunk.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) }
}
guard fclose(file) == 0 else { exit(74) }
