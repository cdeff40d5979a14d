import TidemarkModel
import TidemarkRemote

/// The service, and what is necessary to send requests to it.
struct ServiceAccess: Sendable {
    let service: Service
    var transport: any Transport
    let credentials: Credentials?
    let limits: Limits

    /// Returns the service with a transport that counts requests and reports them to observers.
    func remote(
        in environment: SystemEnvironment,
        countedBy traffic: TransferMeter,
        toldTo observers: Telemetry
    ) -> Remote {
        Remote(
            service,
            over: MeteredTransport(transport, of: service, traffic, observers, environment),
            credentials: credentials,
            environment: environment,
            limits: limits
        ) { after, reason in
            observers.tell(.retrying(after: after, why: reason.message))
        }
    }
}
