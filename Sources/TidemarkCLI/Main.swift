import ArgumentParser

@main
enum Main {
    static func main() async {
        Console.reserveDescriptors()
        Interruption.exitOnSignal()
        do {
            var command = try TidemarkCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Failure.exit(for: error)
        }
    }
}
