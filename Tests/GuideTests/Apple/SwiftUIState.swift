// Declarations of SwiftUI: the state of views.

@propertyWrapper
struct State<Value> {
    private let storage: Storage

    private final class Storage {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    init(initialValue: Value) { storage = Storage(initialValue) }

    var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }

    var projectedValue: Binding<Value> {
        let storage = storage
        return Binding(get: { storage.value }, set: { storage.value = $0 })
    }
}

struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}
