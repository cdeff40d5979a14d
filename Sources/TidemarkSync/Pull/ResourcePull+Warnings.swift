import TidemarkRemote

/// Warnings about changes that cannot be requested, and about ends that are not proved.
extension ResourcePull {
    /// Records whether it is proved that the list ends where it was read to, and adds a warning if
    /// that is assumed from now on.
    mutating func recordUnprovenEnd() {
        report.unprovenEnd = machine.findings.unprovenEnd
        guard case .assumed? = report.unprovenEnd, report.unprovenEnd != machine.start.unprovenEnd,
            let end = report.unprovenEnd
        else { return }
        report.warnings.append(
            SyncWarning(
                .endAssumed,
                resource: resource.path,
                "\(end). That they are all is assumed."
            )
        )
    }

    /// Records whether changes could be requested, and adds a warning if they could not.
    mutating func recordChangesProblem() {
        if let kind = machine.findings.changesProblem {
            state.changesProblem = ChangesProblem(kind, after: state.changesProblem)
        } else if report.ending != .failed,
            context.options.isFull || !machine.start.areChangesBroken
        {
            state.changesProblem = nil
        }
        if let problem = state.changesProblem {
            report.warnings.append(resource.warning(problem, rejection: rejection))
        } else if report.ending != .failed, state.cursor == nil, hasReadObjects,
            let warning = resource.noCursor
        {
            report.warnings.append(warning)
        }
    }

    private var hasReadObjects: Bool { report.items > 0 || report.unchangedPages > 0 }
}

extension RemoteResource {
    /// A warning if changes are configured and cannot be used; nil otherwise.
    var changesNotUsed: SyncWarning? {
        guard style.delta != .none, !style.noticesDeletions else { return nil }
        return SyncWarning(
            .changesNotUsed,
            resource: path,
            "`delta` is not used: rows that the service deletes would not be noticed. Add `count`, "
                + "`keys`, `deletes: marked:…` or `full`, or set `deletes: none`."
        )
    }

    /// Whether lists of this form usually continue in this way, so that a warning would be noise.
    func isUsual(_ pagination: Pagination) -> Bool {
        switch style.envelope {
        case .none: pagination == .linkHeader
        case .keyPath: pagination == .nextInBody(["next"])
        }
    }

    /// Returns a warning that names the recognized pagination of a list with several pages.
    func recognized(_ paging: RecognizedPaging) -> SyncWarning {
        SyncWarning(
            .pagesRecognized,
            resource: path,
            "the list has several pages, as its responses show (pagination: "
                + "\(paging.pagination.option ?? "automatic"))."
        )
    }

    fileprivate var noCursor: SyncWarning? {
        let message: String
        switch style.delta {
        case .none: return nil
        case .version:
            message =
                "changes cannot be requested: the list has no ETag, which `delta: version` needs."
        case .token(let path, _), .link(let path):
            message =
                "changes cannot be requested: the last page has nothing at "
                + "\(path.joined(separator: ".")), which `delta` names. The whole list is read each time."
        case .since(let since):
            let field = since.field.joined(separator: ".")
            message =
                "changes cannot be requested: no object has a time at \(field), which `delta` names. "
                + "The whole list is read each time."
        }
        return changesNotUsed == nil
            ? SyncWarning(.noCursor, resource: path, message) : nil
    }

    fileprivate func warning(_ problem: ChangesProblem, rejection: RemoteError?) -> SyncWarning {
        let consequence =
            problem.isSettled
            ? "The whole list is read each time, until `delta` is corrected or `tidemark pull --full` "
                + "succeeds."
            : "The whole list was read."
        switch problem.kind {
        case .rejected:
            let reason = rejection.map { " (\($0.message))" } ?? ""
            return SyncWarning(
                .changesRejected,
                resource: path,
                "the service rejects the request for changes\(reason). \(consequence)"
            )
        case .incomplete:
            return SyncWarning(
                .changesIncomplete,
                resource: path,
                "the response to the request for changes lacks objects that changed since the cursor, or "
                    + "its total counts more than changes: the parameter of `delta` does not mean "
                    + "“since”, or `total: none` is missing. \(consequence)"
            )
        }
    }
}
