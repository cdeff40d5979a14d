/// A variable of the environment that a configuration asks for.
struct SecretRequest: Hashable {
    var name: String

    /// Where it stands in the configuration.
    var place: String
}

extension Configuration {
    /// The variables that the configuration asks for, in the order of their places.
    func secretRequests() throws -> [SecretRequest] {
        guard let service else { return [] }
        var texts = (service.headers ?? [:]).sorted { $0.key < $1.key }
            .map { ("service.headers.\($0.key)", $0.value) }
        if let bearer = service.auth?.bearer { texts.append(("service.auth.bearer", bearer)) }
        if let basic = service.auth?.basic {
            texts.append(("service.auth.basic.user", basic.user))
            texts.append(("service.auth.basic.password", basic.password))
        }
        return texts.flatMap { place, text in
            Secrets.names(in: text).map { SecretRequest(name: $0, place: place) }
        }
    }
}
