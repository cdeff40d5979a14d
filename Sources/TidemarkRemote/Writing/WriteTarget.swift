import HTTPTypes

package import struct Foundation.URL
package import struct Foundation.URLComponents

/// The object that a request changes, as far as the URL of the request depends on it.
package struct WriteTarget: Sendable {
    /// The resource, with its path as it is configured.
    package var resource: RemoteResource

    /// The attributes of the object's key, with their values as text; empty if it has no key yet.
    package var key: [KeyPart]

    /// The values of the key paths in braces in ``resource``, such as `post` or `comment.id`;
    /// empty if the parent has no key yet.
    package var parents: [String: String]

    /// An attribute of a key.
    package struct KeyPart: Hashable, Sendable {
        /// The name of the attribute, after the relationship that leads to it: `number`, `post.id`.
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        resource: RemoteResource,
        key: [KeyPart] = [],
        parents: [String: String] = [:]
    ) {
        self.resource = resource
        self.key = key
        self.parents = parents
    }

    /// The path of the list without its query.
    private var listPath: Substring {
        resource.path[
            ..<(resource.path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? resource.path.endIndex)
        ]
    }

    /// The query of the list with its question mark; empty without one.
    var listQuery: Substring { resource.path[listPath.endIndex...] }

    /// The path of the list: to create an object, and to read several.
    var listTemplate: PathTemplate { PathTemplate(listPath) }

    /// The usual path of the object: below the list, with a slash at its end if the list's has one;
    /// nil if the object has no key.
    ///
    /// Source: Django REST framework, “Routers”: `trailing_slash`.
    var objectTemplate: PathTemplate? {
        guard resource.style.content == .list else { return listTemplate }
        // Without a key it would be the path of the list: a deletion would be one of all objects.
        let key = ownKey
        guard !key.isEmpty else { return nil }
        let hasSlash = listPath.utf8.last == UInt8(ascii: "/")
        var template = PathTemplate(hasSlash ? listPath.dropLast() : listPath)
        for part in key { template.append(segmentNamed: part.name) }
        if hasSlash { template.append("/") }
        return template
    }

    /// The attributes of the key that the path of the list does not contain already.
    private var ownKey: [KeyPart] {
        let parents = resource.parentKeys
        guard !parents.isEmpty else { return key }
        return key.filter { part in
            let names = part.name.split(separator: ".").map(String.init)
            return !parents.contains { names.starts(with: $0) }
        }
    }

    /// The list that contains the object; nil if the key of its parent is not known.
    package var list: RemoteResource? {
        var list = resource
        guard let path = path(PathTemplate(resource.path[...])) else { return nil }
        list.path = path
        return list
    }

    /// Returns the path of an operation; nil if it contains a value that the object lacks, or one
    /// that cannot be a segment of a path.
    func path(of operation: PushStyle.Operation, usually template: PathTemplate?) -> String? {
        (operation.path.map(template(configured:)) ?? template).flatMap(path)
    }

    /// Returns a configured path, which may contain that of the list.
    func template(configured path: String) -> PathTemplate {
        PathTemplate(path.replacing("{path}", with: listPath)[...])
    }

    private func path(_ template: PathTemplate) -> String? {
        template.filled { value(named: $0) }
    }

    private func value(named name: Substring) -> String? {
        if name == "key" { return ownKey.count == 1 ? ownKey[0].value : nil }
        if let value = parents[String(name)] ?? key.first(where: { $0.name == name })?.value {
            return value
        }
        // `{post}` is the key of the post, which is a part of the object's own key.
        let parts = key.filter { $0.name.hasPrefix(name + ".") }
        return parts.count == 1 ? parts[0].value : nil
    }
}

extension Remote {
    /// Returns the URL of the request for a kind of change.
    ///
    /// - Returns: Nil if the service does not accept it, or if the path contains a value that the
    ///   object does not have yet.
    /// - Throws: ``RemoteError`` if the path leads to another origin.
    package func url(of change: PushStyle.Change, to target: WriteTarget) throws -> URL? {
        guard let operation = target.resource.push.operation(for: change) else { return nil }
        let template = change == .create ? target.listTemplate : target.objectTemplate
        return try target.path(of: operation, usually: template).map(url(ofPath:))
    }

    /// Returns the URL of the request that reads an object; nil if the object has no key yet.
    package func readURL(of target: WriteTarget) throws -> URL? {
        let style = target.resource.push
        var usual = style.update?.path.map(target.template(configured:)) ?? target.objectTemplate
        let query = target.listQuery
        // The path of an update may have a query, too: `things.php?id={key}`.
        let isContinued = !query.isEmpty && usual?.hasQuery == true
        usual?.append(isContinued ? "&" + query.dropFirst() : query)
        let operation = style.reading.operation ?? PushStyle.Operation(.get)
        return try target.path(of: operation, usually: usual).map(url(ofPath:))
    }

    /// Returns the URL that identifies an object; nil if it has no key yet.
    package func objectURL(of target: WriteTarget) throws -> URL? {
        try target.path(of: PushStyle.Operation(.get), usually: target.objectTemplate)
            .map(url(ofPath:))
    }

    /// Returns the path and query of a URL in the form that is stored: relative to the URL of the
    /// service, or with a slash at its beginning for a URL that is not below it.
    ///
    /// The origin is left out: a program that writes to the store must not choose who receives
    /// credentials.
    ///
    /// - Parameter url: A URL without secrets.
    /// - Returns: The path.
    package func relativePath(of url: URL) -> String {
        guard case .success(let base) = base else { return url.pathAndQuery }
        // The usual URL needs no parsing, which takes longer.
        let text = url.absoluteString
        if text.hasPrefix(base.absoluteString), !text.utf8.contains(UInt8(ascii: "#")) {
            return String(text.dropFirst(base.absoluteString.count))
        }
        let path = url.pathAndQuery
        guard Origin(url) == Origin(base), path.hasPrefix(base.pathAndQuery) else { return path }
        return String(path.dropFirst(base.pathAndQuery.count))
    }

    private func url(ofPath path: String) throws -> URL {
        try service.url(ofPath: path, below: base.get())
    }
}

// MARK: Keys in URLs

extension Remote {
    /// Returns the key of an object that a URL of the list names.
    ///
    /// A URL names an object only if its path and query are those that the object of a key has when
    /// it is read, changed or deleted. That of a job, or of another list, does not. The origin does
    /// not matter, since nothing is requested there, nor does a version after the key
    /// (`/_history/2` of FHIR).
    ///
    /// - Parameters:
    ///   - location: The URL, which may be relative.
    ///   - target: The list, with the keys of the parents in its path. The key may be empty.
    ///   - names: The attributes of the primary key, as paths and options name them.
    /// - Returns: The key as text; nil if the URL names no object of the list, or if keys consist
    ///   of several attributes.
    /// - Throws: ``RemoteError`` if a path of the list leads to another origin.
    package func key(
        in location: String,
        of target: WriteTarget,
        named names: [String]
    ) throws -> String? {
        guard names.count == 1, let list = target.list,
            // It may be relative to the URL of the request (RFC 9110, 10.2.2).
            let absolute = URL(string: location, relativeTo: try service.url(of: list))?
                .absoluteURL,
            let found = URLComponents(url: absolute, resolvingAgainstBaseURL: false)
        else { return nil }
        let style = target.resource.push
        var sample = target
        // No service has chosen it, so that it does not occur in the rest of a URL.
        let marker = "tidemark-key-of-the-object"
        sample.key = [WriteTarget.KeyPart(name: names[0], value: marker)]
        var urls = [try objectURL(of: sample), try readURL(of: sample)]
        for change in [PushStyle.Change.update, .delete] where style.operation(for: change) != nil {
            urls.append(try url(of: change, to: sample))
        }
        let base = service.url.path(percentEncoded: true)
        for case let url? in urls {
            let template = url.pathAndQuery
            // Some services leave out the path below which they are mounted.
            let short = template.droppingPrefix(base).map { "/\($0)" } ?? template
            for template in [template, short] {
                if let key = found.key(at: marker, in: template) { return key }
            }
        }
        return nil
    }
}

extension URLComponents {
    /// Returns the text that the path and query of the URL have in the place of a marker in a
    /// template; nil if they differ elsewhere.
    fileprivate func key(at marker: String, in template: String) -> String? {
        let parts = template.split(
            separator: marker,
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return nil }
        var path = percentEncodedPath
        if let history = path.range(of: "/_history/") { path.removeSubrange(history.lowerBound...) }
        let text = path + (percentEncodedQuery.map { "?\($0)" } ?? "")
        let candidates = [text, text.hasSuffix("/") ? String(text.dropLast()) : text + "/"]
        for text in candidates {
            guard text.hasPrefix(parts[0]), text.hasSuffix(parts[1]),
                text.utf8.count > parts[0].utf8.count + parts[1].utf8.count
            else { continue }
            let key = text.dropFirst(parts[0].count).dropLast(parts[1].count)
            guard !key.contains(where: { "/?&".contains($0) }) else { continue }
            return String(key).removingPercentEncoding
        }
        return nil
    }
}
