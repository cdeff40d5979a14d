import TidemarkRemote

extension PullPlan {
    /// Returns the entities in a comma-separated list; nil for all.
    ///
    /// - Throws: ``Failure`` if no list is configured for an entity, or if none of the lists can be
    ///   pulled.
    func entities(_ only: String?) throws -> Set<String>? {
        guard let names = Self.names(only) else { return nil }
        let pulled = Set(resources.map(\.entity))
        let known = pulled.union(omitted.map(\.entity))
        if let unknown = names.subtracting(known).min() {
            throw Failure(
                .usage,
                "No resource lists \(unknown). Configured are \(known.sorted().joined(separator: ", "))."
            )
        }
        if pulled.isDisjoint(with: names),
            let list = omitted.first(where: { names.contains($0.entity) })
        {
            throw Failure(list.status ?? .data, list.message)
        }
        return names.intersection(pulled)
    }

    private static func names(_ only: String?) -> Set<String>? {
        only.map { Set($0.split(separator: ",").map(String.init)) }
    }

    /// Prints why configured lists are not pulled.
    ///
    /// With `quiet`, lists without objects are not mentioned.
    func noteOmitted(_ only: String?, quiet: Bool) {
        for list in omitted(only) where !quiet || list.status != nil { Console.log(list.message) }
    }

    /// Checks that no configured list with objects was skipped.
    ///
    /// - Throws: ``Failure`` with the status of the first skipped list.
    func checkOmitted(_ only: String?) throws {
        let missing = omitted(only).filter { $0.status != nil }
        guard let status = missing.first?.status else { return }
        let names = missing.map(\.entity).joined(separator: ", ")
        throw Failure(
            status,
            "\(missing.count.counted("list")) of the configuration \(missing.count == 1 ? "was" : "were")"
                + " left out: \(names)."
        )
    }

    private func omitted(_ only: String?) -> [SkippedList] {
        guard let names = Self.names(only) else { return omitted }
        return omitted.filter { names.contains($0.entity) }
    }

    /// Returns the error of a list with a hint how to supply credentials that the store does not
    /// contain.
    func explained(_ error: any Error) -> any Error {
        guard let credentialHint, var rejection = error as? RemoteError,
            rejection.code == .unauthorized
        else { return error }
        rejection.hint = credentialHint
        return rejection
    }
}
