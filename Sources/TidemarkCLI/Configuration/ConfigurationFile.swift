struct ConfigurationFile {
    struct C { var store: String? }
    var configuration: C
    static func inCurrentFolder() throws -> ConfigurationFile? { nil }
}
