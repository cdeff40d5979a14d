extension ValueForm {
    /// Parses the text of a form in a store; nil for any other text.
    package init?(stored text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard let kind = parts.first else { return nil }
        switch (kind, parts.dropFirst().first) {
        case ("number", nil): self = .number
        case ("text", nil): self = .text
        case ("text", let decimals?):
            guard let count = Int(decimals), 0...128 ~= count else { return nil }
            self = .numberText(decimals: count)
        case ("flag", let sample?): self = .flag(sample)
        case ("date", let form?):
            guard let form = DateForm(form) else { return nil }
            self = .date(form)
        case ("url", let shape?):
            self = .url(
                ReferenceURL(isPath: shape.hasPrefix("path"), hasSlash: shape.hasSuffix("/"))
            )
        case ("key", let name?): self = .keyUnder(name)
        case ("members", let extent?): self = .members(areMapped: extent == "all")
        default: return nil
        }
    }

    /// The text of the form in a store.
    package var stored: String {
        switch self {
        case .number: "number"
        case .text: "text"
        case .numberText(let decimals): "text:\(decimals)"
        case .flag(let sample): "flag:\(sample)"
        case .date(let form): "date:\(form)"
        case .url(let url): "url:\(url.isPath ? "path" : "whole")\(url.hasSlash ? "/" : "")"
        case .keyUnder(let name): "key:\(name)"
        case .members(let areMapped): "members:\(areMapped ? "all" : "some")"
        }
    }
}

extension ValueForm: CustomStringConvertible {
    /// The form in words, such as `text with 2 decimals`.
    package var description: String {
        switch self {
        case .number: "number"
        case .text: "text"
        case .numberText(let decimals):
            switch decimals {
            case 0: "number as text"
            case 1: "number as text with 1 decimal"
            default: "number as text with \(decimals) decimals"
            }
        case .flag(let sample): sample == "true" ? "true or false" : "\(sample) for true"
        case .date(let form): form.isDay ? "day (\(form))" : "\(form)"
        case .url(let url): url.isPath ? "path of the object" : "URL of the object"
        case .keyUnder(let name): "object, sent as the key \(name)"
        case .members(let areMapped): areMapped ? "object" : "object with other members"
        }
    }
}

extension ValueForm {
    /// Whether it is worth showing: JSON itself has another form for such values, or several.
    package var isNotable: Bool {
        switch self {
        case .number, .text, .members: false
        case .flag(let sample): sample != "true"
        case .numberText, .date, .url, .keyUnder: true
        }
    }
}
