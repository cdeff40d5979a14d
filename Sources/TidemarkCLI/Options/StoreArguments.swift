/// The arguments that commands suggested in messages need to find the same store and service.
struct StoreArguments {
    /// The path of the configuration; nil if it is the `tidemark.yml` of the current folder.
    var configuration: String?

    /// The path of the store; nil if the configuration or the environment specifies it.
    var store: String?

    /// The arguments of a command that uses only the store, quoted for a shell.
    var local: String { store.map { " --store \($0.shellQuoted)" } ?? "" }

    /// The arguments of a command that also uses the service, quoted for a shell.
    var asking: String { (configuration.map { " \($0.shellQuoted)" } ?? "") + local }
}
