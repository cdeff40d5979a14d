import TidemarkRemote

extension Configuration {
    /// How local changes are sent: `none`, the name of a preset, or options.
    enum PushSection: Decodable {
        /// By the style of the preset, with these options.
        case preset(options: [PushStyle.Option: String])
        /// By the style of a named preset.
        case named(String)
        /// Not at all.
        case none

        init(from decoder: any Decoder) throws {
            let text = Result { try decoder.singleValueContainer().decode(String.self) }
            if case .success(let text) = text {
                switch text {
                case "none": self = .none
                case "preset": self = .preset(options: [:])
                default: self = .named(text)
                }
                return
            }
            try decoder.allow(PushStyle.Option.self)
            let values = try decoder.container(keyedBy: PushStyle.Option.self)
            var options: [PushStyle.Option: String] = [:]
            for option in PushStyle.Option.allCases {
                options[option] = try values.decodeIfPresent(String.self, forKey: option)
            }
            self = .preset(options: options)
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
            case .preset(let options):
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
                if let (option, reason) = style.contradiction {
                    throw Failure(.data, "\(keyPath).\(option.rawValue): \(reason).")
                }
                return style
            }
        }
    }
}
