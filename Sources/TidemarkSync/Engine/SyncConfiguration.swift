import TidemarkModel
import TidemarkRemote

/// The configuration of an engine, which its dry runs share.
struct SyncConfiguration: Sendable {
    /// The service to sync from.
    let service: Service

    /// The lists of the service.
    let resources: [RemoteResource]

    /// The order in which the resources are pulled.
    let order: ResourceOrder

    /// Sends the requests.
    let transport: any Transport

    /// Supplies credentials that expire.
    let credentials: Credentials?

    /// The account that the requests are authenticated as.
    let account: String?

    /// Supplies the time, random numbers and delays.
    let environment: SystemEnvironment

    /// The limits of pages, bytes, attempts and concurrency.
    let limits: Limits
}
