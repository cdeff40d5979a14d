import CYaml

extension YAMLText {
    /// The maximum nesting depth.
    ///
    /// A model has six levels.
    private static let depthLimit = 64

    /// Rejects anchors, aliases and deep nesting before nodes are composed.
    ///
    /// The check uses the events of libyaml, because composing is already dangerous: an alias that
    /// is used as a key is expanded for the comparison with other keys, and nested nodes are
    /// composed recursively.
    static func scan(_ text: String) throws {
        // libyaml stores pointers into the parser, so it must not be moved.
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
            // Composing the text reports syntax errors with their position.
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
        Failure(
            line: Int(event.start_mark.line) + 1,
            column: Int(event.start_mark.column) + 1,
            message: message
        )
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
