import CYaml

extension YAMLText {
    /// How deep a text may be nested; a model nests six levels.
    private static let depthLimit = 64

    /// Refuses anchors, aliases and deep nesting before anything is made of the text.
    ///
    /// It looks at libyaml's events. Once nodes are composed it is too late: an alias used as a key
    /// is compared as what it stands for, and nesting is followed by recursion.
    static func scan(_ text: String) throws {
        // The parser keeps its own address.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            throw Failure(message: "there is no memory left to read it.")
        }
        defer { yaml_parser_delete(parser) }
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
            try judgeEvents(of: parser)
        }
    }

    private static func judgeEvents(of parser: UnsafeMutablePointer<yaml_parser_t>) throws {
        var depth = 0
        var isOver = false
        while !isOver {
            var event = yaml_event_t()
            // What is no YAML is told by whoever composes it, with the place.
            guard yaml_parser_parse(parser, &event) == 1 else { return }
            defer { yaml_event_delete(&event) }
            depth += step(event.type)
            isOver = event.type == YAML_STREAM_END_EVENT
            if hasAnchor(event) {
                throw failure(at: event, "anchors and aliases are not allowed. Write it out.")
            }
            if depth > depthLimit {
                throw failure(at: event, "it is nested too deeply.")
            }
        }
    }

    private static func failure(at event: yaml_event_t, _ message: String) -> Failure {
        Failure(Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1, message)
    }

    private static func hasAnchor(_ event: yaml_event_t) -> Bool {
        switch event.type {
        case YAML_ALIAS_EVENT: true
        case YAML_SCALAR_EVENT: event.data.scalar.anchor != nil
        case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor != nil
        case YAML_MAPPING_START_EVENT: event.data.mapping_start.anchor != nil
        default: false
        }
    }

    private static func step(_ type: yaml_event_type_t) -> Int {
        switch type {
        case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: 1
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: -1
        default: 0
        }
    }
}
