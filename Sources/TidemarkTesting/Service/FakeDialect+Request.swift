public import HTTPTypes

extension FakeDialect {
    /// A request to a fake service, its URL taken apart.
    public struct Request: Sendable {
        /// The request as it came.
        public var http: HTTPRequest

        /// The body as it came.
        public var body: [UInt8]?

        /// Where the service was asked, such as `http://127.0.0.1:8080/api/`.
        public var base: String

        /// The path below the base, without the query, as it came.
        public var path: String

        /// The parameters of the query, decoded, in order.
        public var query: [(name: String, value: String)]

        /// What links begin with in the data, where the answer has the base instead.
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

        /// The value of a parameter of the query.
        public subscript(name: String) -> String? {
            query.last { $0.name == name }?.value
        }

        /// The parts of the path, decoded.
        public var steps: [String] {
            path.split(separator: "/").map { $0.percentDecoded }
        }

        /// The value of a header field, by its name in any case.
        func field(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { http.headerFields[$0] }
        }

        /// A parameter that is a whole number; nil where it is none, or beyond all bounds.
        func number(_ name: String) -> Int? {
            self[name].flatMap { Int($0.trimmed) }
        }

        /// The URL that was asked.
        var address: String {
            "\(http.scheme ?? "http")://\(http.authority ?? "")\(http.path ?? "/")"
        }

        /// The URL that was asked, with parameters that are changed in their place or added; nil
        /// leaves one out.
        func address(
            _ changes: KeyValuePairs<String, String?>,
            order: ParameterOrder = .asAsked,
            unescaped: String = ""
        ) -> String {
            var parameters = query
            for (name, value) in changes {
                let place = parameters.firstIndex { $0.name == name } ?? parameters.count
                parameters.removeAll { $0.name == name }
                if let value { parameters.insert((name, value), at: place) }
            }
            if order == .byName { parameters.sort { $0.name < $1.name } }
            let texts = parameters.map { name, value in
                "\(name.queryEncoded(unescaped))=\(value.queryEncoded(unescaped))"
            }
            return "\(base)\(path)\(texts.isEmpty ? "" : "?")\(texts.joined(separator: "&"))"
        }

        /// How a service writes the parameters of links.
        enum ParameterOrder {
            case asAsked
            case byName
        }

        /// JSON with links to where the service was asked.
        func served(_ json: FakeJSON) -> FakeJSON {
            guard let linkBase else { return json }
            return json.mapStrings {
                $0.hasPrefix(linkBase) ? base + $0.dropFirst(linkBase.count) : $0
            }
        }
    }
}

extension StringProtocol {
    /// The text of a part of a path; what is escaped badly stays as it is.
    var percentDecoded: String {
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

    /// The text of a part of a query, where a plus is a blank.
    var queryDecoded: String { String(map { $0 == "+" ? " " : $0 }).percentDecoded }

    /// The text as a part of a query.
    func queryEncoded(_ unescaped: String = "") -> String {
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
