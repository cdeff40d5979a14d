public import ArgumentParser
public import TidemarkImport
public import TidemarkStore

extension UnresolvedReferencePolicy: ExpressibleByArgument {}
extension InvalidValuePolicy: ExpressibleByArgument {}
extension ExportOptions.Keys: ExpressibleByArgument {}
extension ExportOptions.Relationships: ExpressibleByArgument {}

extension RecordLocator: ExpressibleByArgument {
    /// Parses a record locator from the command line.
    public init?(argument: String) {
        guard case .success(let name) = Result(catching: { try RecordLocator(argument) }) else {
            return nil
        }
        self = name
    }
}
