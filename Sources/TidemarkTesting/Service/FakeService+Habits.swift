import HTTPTypes

/// A change that was accepted with status 202.
struct AcceptedChange: Sendable {
    /// When the service makes it, in microseconds since 1970.
    let due: Int64
    let request: FakeDialect.Request
}

/// The contents of a service before a change.
struct FormerContents: Sendable {
    /// The time of the change, in microseconds since 1970.
    let end: Int64
    let contents: FakeContents
}

extension FakeService.State {
    /// Processes a request, with the habits of the service.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - dialect: The dialect of the service.
    ///   - process: Processes the request with the contents that the service shows it.
    /// - Returns: The response.
    mutating func response(
        to request: FakeDialect.Request,
        in dialect: FakeDialect,
        _ process: (inout FakeContents) -> FakeResponse
    ) -> FakeResponse {
        guard let habits = dialect.writes?.habits, habits != FakeHabits() else {
            return process(&contents)
        }
        makeDueChanges(of: dialect, habits)
        guard ![.get, .head].contains(request.http.method) else {
            guard var former = former(of: request, by: habits) else { return process(&contents) }
            former.now = contents.now
            return process(&former)
        }
        switch habits.acceptance {
        case .later(let delay)?:
            let due = contents.now + Int64(delay / .microseconds(1))
            accepted.append(AcceptedChange(due: due, request: request))
            return FakeResponse([:], status: .accepted)
        case .never?: return FakeResponse([:], status: .accepted)
        case nil:
            remember(habits)
            return process(&contents)
        }
    }

    /// Makes the changes that were accepted, whose time has come.
    private mutating func makeDueChanges(of dialect: FakeDialect, _ habits: FakeHabits) {
        let due = accepted.filter { $0.due <= contents.now }
        accepted.removeAll { $0.due <= contents.now }
        for change in due {
            remember(habits)
            _ = dialect.response(to: change.request, from: &contents)
        }
    }

    /// Remembers the contents before a change, if later requests may be to see them.
    private mutating func remember(_ habits: FakeHabits) {
        guard max(habits.listLag, habits.objectLag) > .zero else { return }
        past.append(FormerContents(end: contents.now, contents: contents))
    }

    /// The contents that a request to read sees; nil for the current ones.
    private func former(
        of request: FakeDialect.Request,
        by habits: FakeHabits
    ) -> FakeContents? {
        let steps = request.steps
        // The path of a dialect may have more steps than the collection and the key.
        let key = steps.last ?? ""
        let isObject = steps.dropLast().contains { contents.data["\($0)/\(key)"] != nil }
        let lag = isObject ? habits.objectLag : habits.listLag
        let time = contents.now - Int64(lag / .microseconds(1))
        return lag == .zero ? nil : past.first { $0.end > time }?.contents
    }
}
