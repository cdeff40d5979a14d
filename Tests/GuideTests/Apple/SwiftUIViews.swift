// Declarations of SwiftUI, as far as the guides use them, so that their code is type-checked on
// systems without it. The views report the texts that they show.

@MainActor
protocol View {
    associatedtype Body: View

    @ViewBuilder var body: Body { get }

    /// The texts that the view shows, in their order.
    var texts: [String] { get }
}

extension View {
    var texts: [String] { body.texts }

    func searchable(text: Binding<String>) -> some View { self }

    func onChange<V: Equatable>(of value: V, _ action: @escaping () -> Void) -> some View { self }
}

extension View where Body == Never {
    var body: Never { preconditionFailure("This view has no body.") }
}

extension Never: View {
    typealias Body = Never

    var texts: [String] { [] }
}

@resultBuilder
@MainActor
enum ViewBuilder {
    static func buildExpression(_ view: some View) -> AnyView { AnyView(view) }

    static func buildBlock(_ views: AnyView...) -> AnyView {
        AnyView(texts: views.flatMap { $0.texts })
    }

    static func buildOptional(_ view: AnyView?) -> AnyView { AnyView(texts: view?.texts ?? []) }

    static func buildEither(first view: AnyView) -> AnyView { view }

    static func buildEither(second view: AnyView) -> AnyView { view }
}

struct AnyView: View {
    typealias Body = Never

    let texts: [String]

    init(_ view: some View) { texts = view.texts }

    init(texts: [String]) { self.texts = texts }
}

struct Text: View {
    typealias Body = Never

    let texts: [String]

    init(_ text: some StringProtocol) { texts = [String(text)] }
}

struct ProgressView: View {
    typealias Body = Never

    let texts = ["…"]

    init() {}
}

struct List: View {
    typealias Body = Never

    let texts: [String]

    init<Content: View>(@ViewBuilder content: () -> Content) { texts = content().texts }

    init<Data: RandomAccessCollection, Content: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {
        texts = data.flatMap { rowContent($0).texts }
    }
}

struct ForEach: View {
    typealias Body = Never

    let texts: [String]

    init<Data: RandomAccessCollection, Content: View>(
        _ data: Data,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {
        texts = data.flatMap { content($0).texts }
    }

    init<Data: RandomAccessCollection, ID: Hashable, Content: View>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        texts = data.flatMap { content($0).texts }
    }
}

struct Section: View {
    typealias Body = Never

    let texts: [String]

    init<Content: View>(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        texts = ["# \(title)"] + content().texts
    }
}
