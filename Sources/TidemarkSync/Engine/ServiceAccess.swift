import TidemarkModel
import TidemarkRemote

/// The service, and what is necessary to send requests to it.
struct ServiceAccess: Sendable {
    let service: Service
    var transport: any Transport
    let credentials: Credentials?
    let limits: Limits

    /// Returns the service with a transport that counts requests and reports them.
    func remote(
        in environment: SystemEnvironment,
        countedBy meter: TransferMeter,
        reportingTo telemetry: Telemetry
    ) -> Remote {
        Remote(
            service,
            over: MeteredTransport(
                base: transport,
                service: service,
                meter: meter,
                telemetry: telemetry,
                environment: environment
            ),
            credentials: credentials,
            environment: environment,
            limits: limits
        ) { after, reason in
            telemetry.emit(.retrying(after: after, why: reason.message))
        }
    }
}
