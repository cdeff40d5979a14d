import TidemarkModel
import TidemarkRemote

/// How the service is asked.
struct ServiceAccess: Sendable {
    let service: Service
    var transport: any Transport
    let credentials: Credentials?
    let limits: Limits

    /// The service, whose requests are counted and told as they are sent.
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
