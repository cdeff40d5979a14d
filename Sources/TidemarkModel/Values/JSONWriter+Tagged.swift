import Foundation
package import TidemarkJSON

extension JSONWriter {
    /// Writes a value with its type.
    ///
    /// Types that JSON does not have are written as tagged objects.
    ///
    /// The tags are `{"$date":"2014-02-14T00:00:00.000Z"}` (three fraction digits, or six if there
    /// are microseconds), `{"$decimal":"12.2"}`, `{"$uuid":…}`, `{"$url":…}` and `{"$binary":`
    /// base64 `}`. A JSON value is written unchanged. A date outside of the years 0 to 9999 is
    /// written as the number of seconds since 1970. ``Value/init(tagged:type:)`` reads all of these
    /// back.
    package mutating func tagged(_ value: Value) {
        switch value {
        case .null: null()
        case .integer(let number): integer(number)
        case .double(let number): double(number)
        case .boolean(let flag): boolean(flag)
        case .string(let text): string(text)
        case .json(let text): raw(text)
        case .decimal(let text): tagged("$decimal") { $0.string(text) }
        case .uuid(let text): tagged("$uuid") { $0.string(text) }
        case .uri(let text): tagged("$url") { $0.string(text) }
        case .binary(let bytes): tagged("$binary") { $0.string(Data(bytes).base64EncodedString()) }
        case .date(let seconds):
            tagged("$date") { writer in
                if let moment = DateFormat.microseconds(fromSeconds: seconds) {
                    writer.string(DateFormat.iso8601(.always).string(from: moment))
                } else {
                    writer.double(seconds)
                }
            }
        }
    }

    private mutating func tagged(_ tag: String, value body: (inout JSONWriter) -> Void) {
        beginObject()
        key(tag)
        body(&self)
        endObject()
    }
}
