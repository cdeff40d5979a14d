/// An environment variable that a configuration references.
struct SecretRequest: Hashable {
    var name: String

    /// The key path of the reference, for messages.
    var location: String
}

extension Configuration {
    /// Returns the environment variables that the configuration references: those of header fields
    /// first, ordered by field name, then those of the credentials.
    func secretRequests() throws -> [SecretRequest] {
        guard let service else { return [] }
        var texts = (service.headers ?? [:]).sorted { $0.key < $1.key }
            .map { ("service.headers.\($0.key)", $0.value) }
        if let bearer = service.auth?.bearer { texts.append(("service.auth.bearer", bearer)) }
        if let basic = service.auth?.basic {
            texts.append(("service.auth.basic.user", basic.user))
            texts.append(("service.auth.basic.password", basic.password))
        }
        return texts.flatMap { location, text in
            Secrets.names(in: text).map { SecretRequest(name: $0, location: location) }
        }
    }
}
