import SwiftUI

/// A view.
@available(iOS 15, *)
public struct ProfileView: View {
    @State private var name = "}"
    let id: Int

    var body: some View {
        VStack {
            Text("Hello \(name.map { $0 }) {")
        }
    }

    lazy var cache: [String: Int] = {
        return [:]
    }()

    init(id: Int) {
        self.id = id
    }

    private func load<T: Decodable>(
        _ type: T.Type
    ) async throws -> T where T: Sendable {
        let raw = #"a " } b"#
        let text = """
        func notThis() {
        """
        return try decode(raw + text)
    }

    static func == (a: Self, b: Self) -> Bool {
        a.id == b.id
    }

    subscript(i: Int) -> Int {
        get { i }
        set { print(newValue) }
    }
}

protocol Store: AnyObject {
    associatedtype Item
    func get(_ id: Int) -> Item
}

extension ProfileView: Equatable {
    enum Mode: String {
        case light, dark
        var title: String {
            switch self {
            case .light: return "l"
            case .dark: return "d"
            }
        }
    }
}

actor Counter {
    private var n = 0
    func up() { n += 1 }
    deinit {
        print("gone")
    }
}

class Box<T> {
    class func make() -> Box<T> {
        /* nested /* } */ */
        Box()
    }
}

#if DEBUG
func debugOnly() {
    print("debug")
}
#endif

func outer() {
    func inner() {}
    inner()
}
