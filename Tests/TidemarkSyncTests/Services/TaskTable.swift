/// All projects and tasks, of a service or of a store.
struct TaskTable: Hashable, Sendable, CustomStringConvertible {
    struct Project: Hashable, Sendable {
        /// The primary key; nil if the service has not named the object yet.
        let key: String?
        let name: String?
    }

    struct Task: Hashable, Sendable {
        let key: String?
        let title: String?
        let isDone: Bool
        let position: String?

        /// The key of the project.
        let project: String?
    }

    private let projects: [Project]
    let tasks: [Task]

    init(projects: [Project], tasks: [Task]) {
        self.projects = projects.sorted {
            ($0.name ?? "", $0.key ?? "") < ($1.name ?? "", $1.key ?? "")
        }
        self.tasks = tasks.sorted {
            ($0.title ?? "", $0.key ?? "") < ($1.title ?? "", $1.key ?? "")
        }
    }

    /// The objects without their keys, a line each: `Home`, then `task, done, 1, in Home`.
    var lines: [String] {
        let names = Dictionary(
            projects.map { ($0.key, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        return projects.map { $0.name ?? "–" }
            + tasks.map { task in
                let project = task.project.map { key in (names[key] ?? nil) ?? "an unknown project"
                }
                return [
                    task.title ?? "–", task.isDone ? "done" : nil, task.position,
                    project.map { "in \($0)" },
                ]
                .compactMap(\.self).joined(separator: ", ")
            }
    }

    var description: String {
        let projects = projects.map { "\($0.key ?? "–") \($0.name ?? "–")" }
        let tasks = tasks.map { task in
            "\(task.key ?? "–") \(task.title ?? "–") \(task.isDone) \(task.position ?? "–") "
                + "\(task.project ?? "–")"
        }
        return (projects + tasks).joined(separator: "\n")
    }
}
