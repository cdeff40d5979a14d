package import HTTPTypes

extension FakeDialect {
    /// A request to a fake service, with its URL parsed.
    package struct Request: Sendable {
        /// The request.
        package var http: HTTPRequest

        /// The body of the request.
        package var body: [UInt8]?

        /// The base URL under which the client reached the service, such as
        /// `http://127.0.0.1:8080/api/`.
        package var base: String

        /// The path below the base URL, without the query, still percent-encoded.
        package var path: String

        /// The decoded query parameters, in order.
        package var query: [(name: String, value: String)]

        /// Whether the service accepts changes.
        package internal(set) var isChangeable = false

        /// The prefix of links in the data that responses replace with the base URL.
        var linkBase: String?

        init(_ http: HTTPRequest, body: [UInt8]?, below path: String, linkBase: String?) {
            let parts = (http.path ?? "/").split(
                separator: "?",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let whole = String(parts.first ?? "/")
            self.http = http
            self.body = body
            self.linkBase = linkBase
            base = "\(http.scheme ?? "http")://\(http.authority ?? "")\(path)"
            self.path = whole.hasPrefix(path) ? String(whole.dropFirst(path.count)) : whole
            query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { parameter in
                let pair = parameter.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return (pair[0].queryDecoded, pair.count > 1 ? pair[1].queryDecoded : "")
            }
        }

        /// The path of the service, with slashes at both ends.
        package var mount: String {
            String(base.dropFirst("\(http.scheme ?? "http")://\(http.authority ?? "")".count))
        }

        /// Returns a request that is a member of this one, as in a batch.
        package func member(
            _ method: HTTPRequest.Method,
            path: String,
            fields: HTTPFields = [:],
            body: [UInt8]?
        ) -> Request {
            var member = http
            member.method = method
            member.path = path
            member.headerFields = fields
            return Request(member, body: body, below: mount, linkBase: linkBase)
        }

        /// The value of a query parameter; nil if it is missing.
        ///
        /// If a parameter is repeated, the last value.
        package subscript(name: String) -> String? {
            query.last { $0.name == name }?.value
        }

        /// The decoded components of the path.
        package var steps: [String] {
            path.split(separator: "/").map { $0.percentDecoded }
        }

        /// Returns the value of a header field.
        ///
        /// Names are case-insensitive.
        package func field(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { http.headerFields[$0] }
        }

        /// Returns the value of an integer parameter; nil if it is missing or not an integer.
        package func number(_ name: String) -> Int? {
            self[name].flatMap { Int($0.trimmed) }
        }

        /// The URL of the request.
        package var address: String {
            "\(http.scheme ?? "http")://\(http.authority ?? "")\(http.path ?? "/")"
        }

        /// Returns the URL of the request with changed query parameters.
        ///
        /// A parameter is replaced in place or appended; nil removes it.
        package func address(
            _ changes: KeyValuePairs<String, String?>,
            order: ParameterOrder = .asRequested,
            unescaped: String = ""
        ) -> String {
            var parameters = query
            for (name, value) in changes {
                let index = parameters.firstIndex { $0.name == name } ?? parameters.count
                parameters.removeAll { $0.name == name }
                if let value { parameters.insert((name, value), at: index) }
            }
            if order == .byName { parameters.sort { $0.name < $1.name } }
            let texts = parameters.map { name, value in
                "\(name.queryEncoded(unescaped))=\(value.queryEncoded(unescaped))"
            }
            return "\(base)\(path)\(texts.isEmpty ? "" : "?")\(texts.joined(separator: "&"))"
        }

        /// The order of parameters in links.
        package enum ParameterOrder {
            case asRequested
            case byName
        }

        /// Returns JSON with its links rewritten to the base URL of the request.
        package func served(_ json: FakeJSON) -> FakeJSON {
            guard let linkBase else { return json }
            return json.mapStrings {
                $0.hasPrefix(linkBase) ? base + $0.dropFirst(linkBase.count) : $0
            }
        }
    }
}

extension StringProtocol {
    /// The percent-decoded text.
    ///
    /// Invalid escapes are kept unchanged.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, !digits.hasPrefix("+"),
                !digits.hasPrefix("-"), let value = UInt8(digits, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded text of a query component, in which a plus means a space.
    package var queryDecoded: String { String(map { $0 == "+" ? " " : $0 }).percentDecoded }

    /// Returns the text percent-encoded for a query component.
    package func queryEncoded(_ unescaped: String = "") -> String {
        var text = ""
        for byte in utf8 {
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isPlainInQuery || unescaped.contains(character) {
                text.append(character)
            } else {
                text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }
        return text
    }
}

extension Character {
    fileprivate var isPlainInQuery: Bool {
        isASCII && (isLetter || isNumber || "-._~".contains(self))
    }
}
