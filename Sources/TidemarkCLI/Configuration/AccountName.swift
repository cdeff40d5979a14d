import Foundation
import TidemarkModel

/// The account name that a store records for a service.
enum AccountName {
    /// Returns the user name, or a digest of it if there is no password: services that use HTTP
    /// Basic authentication for API keys expect the key as the user name, so the name itself may be
    /// the secret.
    static func of(_ user: String?, password: String?) -> String? {
        guard let user, !user.isEmpty else { return nil }
        return password?.isEmpty == false ? user : digest(of: user)
    }

    /// Returns a digest that distinguishes one user from another without revealing the name.
    static func digest(of user: String) -> String {
        "basic:\(user.sha256.prefix(12))"
    }
}

extension URLComponents {
    /// The account name derived from the user and password of the URL.
    var account: String? { AccountName.of(user, password: password) }
}
