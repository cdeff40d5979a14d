import Foundation

/// Who is known to a service, as a store remembers it.
enum AccountName {
    /// A user; of one without a password it is a digest, for then the name is the secret, as with
    /// keys that are given in its place.
    static func of(_ user: String?, password: String?) -> String? {
        guard let user, !user.isEmpty else { return nil }
        return password?.isEmpty == false ? user : digest(of: user)
    }

    /// What tells a user from others, and does not say who it is.
    static func digest(of user: String) -> String {
        "basic:\(FileDigest(user.utf8).description.prefix(12))"
    }
}

extension URLComponents {
    /// The account that an address names.
    var account: String? { AccountName.of(user, password: password) }
}
