package import TidemarkRemote

extension ServiceBinding {
    /// The binding of a store that is pulled into from a service, as somebody known to it.
    package init(_ service: Service, account: String?) {
        self.init(
            origin: service.name ?? Origin(service.url).map(\.description) ?? "",
            account: account
        )
    }
}
