import TidemarkModel
import TidemarkRemote

extension Configuration {
    /// How local changes are sent: `none`, the name of a preset, or options.
    enum PushSection: Decodable {
        /// By the style of the preset, with these options, and these mappings of requests.
        case preset(options: [PushStyle.Option: String], requests: [RequestSection])
        /// By the style of a named preset.
        case named(String)
        /// Not at all.
        case none

        init(from decoder: any Decoder) throws {
            let text = Result { try decoder.singleValueContainer().decode(String.self) }
            if case .success(let text) = text {
                switch text {
                case "none": self = .none
                case "preset": self = .preset(options: [:], requests: [])
                default: self = .named(text)
                }
                return
            }
            try decoder.rejectReadNulls()
            try decoder.allow(PushStyle.Option.self)
            let values = try decoder.container(keyedBy: PushStyle.Option.self)
            var options: [PushStyle.Option: String] = [:]
            var requests: [RequestSection] = []
            for option in PushStyle.Option.allCases where values.contains(option) {
                if let change = PushStyle.Change(rawValue: option.rawValue),
                    case .failure = Result(catching: {
                        try values.decode(String.self, forKey: option)
                    })
                {
                    var section = try values.decode(RequestSection.self, forKey: option)
                    section.change = change
                    options[option] = section.options[.request]
                    requests.append(section)
                } else {
                    options[option] = try values.decodeIfPresent(String.self, forKey: option)
                }
            }
            self = .preset(options: options, requests: requests)
        }

        /// Returns the style that this section describes.
        ///
        /// - Parameters:
        ///   - preset: The style whose options it changes.
        ///   - keyPath: The key path of the section in the file, for messages.
        /// - Returns: The style.
        /// - Throws: ``Failure`` if a value is not valid for its option.
        func style(on preset: PushStyle, at keyPath: String) throws -> PushStyle {
            switch self {
            case .none: return .readOnly
            case .named(let name):
                guard let style = PushStyle.presets[name] else {
                    let known = ["none", "preset"] + PushStyle.presets.keys.sorted()
                    throw Failure(
                        .data,
                        "\(keyPath): \(name) is not known. Write \(known.joined(separator: ", ")), or "
                            + "the options of the service as a mapping."
                    )
                }
                return style
            case .preset(let options, let requests):
                var style = preset
                for (option, text) in options.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    guard style.set(option, to: text) else {
                        throw Failure(
                            .data,
                            "\(keyPath).\(option.rawValue): \(text) is not known. Write "
                                + "\(PushStyle.forms(of: option))."
                        )
                    }
                }
                for request in requests { try request.apply(to: &style, at: keyPath) }
                if let (option, reason) = style.contradiction {
                    throw Failure(.data, "\(keyPath).\(option.rawValue): \(reason).")
                }
                return style
            }
        }
    }

    /// A request that is written as a mapping.
    struct RequestSection: Decodable {
        var change = PushStyle.Change.create
        var options: [PushStyle.RequestOption: String] = [:]
        var members: [String: Value] = [:]

        init(from decoder: any Decoder) throws {
            try decoder.allow(PushStyle.RequestOption.self)
            let values = try decoder.container(keyedBy: PushStyle.RequestOption.self)
            for option in PushStyle.RequestOption.allCases where option != .members {
                options[option] = try values.decodeIfPresent(String.self, forKey: option)
            }
            members =
                try values.decodeIfPresent([String: Scalar].self, forKey: .members)?
                .mapValues(\.value) ?? [:]
        }

        /// Applies the options, except for the request itself.
        ///
        /// - Throws: ``Failure`` if a value is not valid for its option.
        func apply(to style: inout PushStyle, at keyPath: String) throws {
            let keyPath = "\(keyPath).\(change.rawValue)"
            guard options.keys.contains(where: { $0 != .request }) || !members.isEmpty else {
                return
            }
            guard style.operation(for: change) != nil else {
                throw Failure(.data, "\(keyPath): there is no request. Add request: METHOD path.")
            }
            for (option, text) in options.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where option != .request {
                guard style.set(option, to: text, for: change) else {
                    throw Failure(
                        .data,
                        "\(keyPath).\(option.rawValue): \(text) is not known. Write "
                            + "\(PushStyle.forms(of: option, for: change))."
                    )
                }
            }
            if !members.isEmpty { style.set(members, for: change) }
        }
    }

    /// A text, a number, a flag or null.
    private struct Scalar: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            func decoded<T: Decodable>(_ type: T.Type) -> T? {
                let result = Result { try container.decode(type) }
                return if case .success(let value) = result { value } else { nil }
            }
            let text = try container.decode(String.self)
            // In YAML 1.1, numbers with colons are those of base 60, such as the time 12:30.
            let isNumber = !text.contains(":")
            if container.decodeNil() {
                value = .null
            } else if let flag = decoded(Bool.self) {
                value = .boolean(flag)
            } else if isNumber, let number = decoded(Int64.self) {
                value = .integer(number)
            } else if isNumber, let number = decoded(Double.self), number.isFinite {
                value = .double(number)
            } else {
                value = .string(text)
            }
        }
    }
}

extension Decoder {
    /// Throws an error for an option of lists that earlier versions read from `push`.
    fileprivate func rejectReadNulls() throws {
        guard try has("readNulls") else { return }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "\(codingPath.keyPath).readNulls belongs to the list: write it as "
                    + "resources.ENTITY.readNulls, or as service.lists.readNulls for all lists."
            )
        )
    }
}
