package import TidemarkRemote

extension ServiceBinding {
    /// Creates the binding of a store to a service and an account.
    package init(_ service: Service, account: String?) {
        self.init(
            origin: service.name ?? Origin(service.url).map(\.description) ?? "",
            account: account
        )
    }
}
