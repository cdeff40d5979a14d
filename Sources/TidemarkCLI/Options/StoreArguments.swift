/// The arguments by which a command that a message suggests finds the same store and service.
struct StoreArguments {
    /// The configuration, where it is not the `tidemark.yml` of the current folder.
    var configuration: String?

    /// The path of the store, where neither that file nor the environment names it.
    var store: String?

    /// What follows the arguments of a command that works on the store alone, ready to be pasted
    /// into a shell.
    var local: String { store.map { " --store \($0.shellQuoted)" } ?? "" }

    /// What follows the arguments of a command that asks the service too.
    var asking: String { (configuration.map { " \($0.shellQuoted)" } ?? "") + local }
}
