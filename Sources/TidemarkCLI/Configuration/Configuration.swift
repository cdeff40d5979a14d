/// The contents of `tidemark.yml`, before references to environment variables are resolved.
struct Configuration: Decodable {
    /// The path of the SQLite file, relative to the configuration's folder.
    var store: String?

    /// The path of the model, relative to the configuration's folder.
    var model: String?

    var service: ServiceSection?

    /// The resources by entity, one or several each.
    ///
    /// If nil, every entity of the model is a resource.
    var resources: [String: ResourceSections]?

    /// Who decides about contradicting changes; nil for the service.
    var conflicts: ConflictsSection?

    struct ServiceSection: Decodable {
        var url: String
        var name: String?
        var preset: String?
        var headers: [String: String]?
        var auth: AuthSection?
        var origins: [String]?
        var account: String?
        var limits: LimitsSection?
        var lists: ResourceSection?
        var push: PushSection?
    }

    struct AuthSection: Decodable {
        var bearer: String?
        var basic: BasicSection?
    }

    struct BasicSection: Decodable {
        var user: String
        var password: String
    }

    /// The lists of one entity: a mapping, or a sequence of two or more mappings.
    struct ResourceSections: Decodable {
        var all: [ResourceSection]

        init(from decoder: any Decoder) throws {
            if case .success = Result(catching: { try decoder.unkeyedContainer() }) {
                all = try [ResourceSection](from: decoder)
                guard all.count > 1 else {
                    throw DecodingError.dataCorrupted(
                        DecodingError.Context(
                            codingPath: decoder.codingPath,
                            debugDescription:
                                "\(decoder.codingPath.keyPath): expected a mapping (key: value), or a "
                                + "sequence of two or more."
                        )
                    )
                }
            } else {
                all = [try ResourceSection(from: decoder)]
            }
        }
    }

    /// The options of one list, or of all lists, as texts.
    struct ResourceSection: Decodable {
        enum Option: String, CodingKey, CaseIterable {
            case path, content, type, envelope, item, pagination, base, emptyPages, pageSize
            case order, drift
            case total, count, delta, deltaOrder, deltaOverlap, full, deletes, keys, validation
            case empty, readNulls
        }

        private var texts: [Option: String] = [:]

        /// How local changes of the list's objects are sent; nil for the way of the service.
        var push: PushSection?

        /// No options.
        init() {}

        init(from decoder: any Decoder) throws {
            try decoder.allow(Key.self)
            let values = try decoder.container(keyedBy: Key.self)
            for option in Option.allCases {
                texts[option] = try values.decodeIfPresent(String.self, forKey: .option(option))
            }
            push = try values.decodeIfPresent(PushSection.self, forKey: .push)
        }

        /// A key of the section.
        private enum Key: CodingKey, CaseIterable {
            case option(Option)
            case push

            static var allCases: [Key] { Option.allCases.map(Key.option) + [.push] }

            var stringValue: String {
                switch self {
                case .option(let option): option.rawValue
                case .push: "push"
                }
            }

            var intValue: Int? { nil }

            init?(stringValue: String) {
                guard let key = Self.allCases.first(where: { $0.stringValue == stringValue }) else {
                    return nil
                }
                self = key
            }

            init?(intValue: Int) {
                nil
            }
        }

        /// The text of an option; nil if it is not set.
        subscript(option: Option) -> String? {
            get { texts[option] }
            set { texts[option] = newValue }
        }
    }
}

// The decoders are written out because the synthesized ones ignore unknown keys: a misspelled
// option would have no effect and no error.

extension Configuration {
    init(from decoder: any Decoder) throws {
        try decoder.allow(CodingKeys.self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        store = try values.decodeIfPresent(String.self, forKey: .store)
        model = try values.decodeIfPresent(String.self, forKey: .model)
        service = try values.decodeIfPresent(ServiceSection.self, forKey: .service)
        resources = try values.decodeIfPresent([String: ResourceSections].self, forKey: .resources)
        conflicts = try values.decodeIfPresent(ConflictsSection.self, forKey: .conflicts)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case store, model, service, resources, conflicts
    }
}

extension Configuration.ServiceSection {
    init(from decoder: any Decoder) throws {
        try decoder.allow(CodingKeys.self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = try values.decode(String.self, forKey: .url)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        preset = try values.decodeIfPresent(String.self, forKey: .preset)
        headers = try values.decodeIfPresent([String: String].self, forKey: .headers)
        auth = try values.decodeIfPresent(Configuration.AuthSection.self, forKey: .auth)
        origins = try values.decodeIfPresent([String].self, forKey: .origins)
        account = try values.decodeIfPresent(String.self, forKey: .account)
        limits = try values.decodeIfPresent(Configuration.LimitsSection.self, forKey: .limits)
        lists = try values.decodeIfPresent(Configuration.ResourceSection.self, forKey: .lists)
        push = try values.decodeIfPresent(Configuration.PushSection.self, forKey: .push)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case url, name, preset, headers, auth, origins, account, limits, lists, push
    }
}

extension Configuration.AuthSection {
    init(from decoder: any Decoder) throws {
        try decoder.allow(CodingKeys.self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        bearer = try values.decodeIfPresent(String.self, forKey: .bearer)
        basic = try values.decodeIfPresent(Configuration.BasicSection.self, forKey: .basic)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case bearer, basic
    }
}
