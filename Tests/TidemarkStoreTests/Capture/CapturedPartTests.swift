import GRDB
import Testing
import TidemarkModel
import TidemarkTestSupport

@testable import TidemarkStore

/// Rows without a primary key, whose changes are changes of the rows that contain them.
struct CapturedPartTests {
    @Test func `an edit is recorded for the rows that contain the row`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Address SET city = 'x'")
        try expect(
            store.outbox(),
            is: """
                User#1 update: Address:city[1]="Rom", Address:city[2]="Bern", \
                Address:city[3]="Graz", Address:city[4]="Linz"
                """
        )
    }

    @Test func `a new part is recorded`() throws {
        let store = try Notebook.store()
        try store.run("INSERT INTO Address (city, owner) VALUES ('Wien', 2)")
        try store.run(
            "INSERT INTO Address (city) VALUES ('Prag'); UPDATE User SET home = 6 WHERE id = 2"
        )
        try store.run(
            "INSERT INTO Address (city) VALUES ('Kiel'); INSERT INTO _tidemark_User_places (owner, member) VALUES (2, 7)"
        )
        try expect(
            store.outbox(),
            is: "User#2 update: User.addresses[5]=0, User.places[7]=0, home=NULL"
        )
    }

    @Test func `a deleted part is recorded with all values`() throws {
        let store = try Notebook.store()
        try store.run("DELETE FROM Address WHERE city IN ('Rom', 'Graz', 'Linz')")
        try expect(
            store.outbox(),
            is: """
                User#1 update: Address:_addresses_position[1]=0, \
                Address:_addresses_position[3]=NULL, Address:_addresses_position[4]=NULL, \
                Address:city[1]="Rom", Address:city[3]="Graz", Address:city[4]="Linz", \
                Address:floor[1]=1, Address:floor[3]=NULL, Address:floor[4]=NULL, \
                Address:owner[1]=1, Address:owner[3]=NULL, Address:owner[4]=NULL, \
                User.addresses[1]=1, User.home[3]=1, User.places[4]=1, home=3
                """
        )
    }

    @Test func `a part that moves is recorded for both rows`() throws {
        let store = try Notebook.store()
        try store.run("UPDATE Address SET owner = 2 WHERE city = 'Bern'")
        try expect(
            store.outbox(),
            is: """
                User#1 update: Address:_addresses_position[2]=1, Address:city[2]="Bern", \
                Address:floor[2]=2, Address:owner[2]=1, User.addresses[2]=1
                User#2 update: Address:_addresses_position[2]=1, Address:city[2]="Bern", \
                Address:floor[2]=2, Address:owner[2]=1, User.addresses[2]=2
                """
        )
    }

    @Test func `a part whose link is removed first is recorded with its values`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            UPDATE User SET home = NULL; DELETE FROM Address WHERE city = 'Graz';
            DELETE FROM _tidemark_User_places; DELETE FROM Address WHERE city = 'Linz';
            """
        )
        let recorded = try store.outbox()
        #expect(recorded.contains("Address:city[3]=\"Graz\""))
        #expect(recorded.contains("Address:city[4]=\"Linz\""))
    }

    @Test(arguments: [
        "UPDATE Address SET city = 'x', floor = 9",
        "DELETE FROM Address",
        "DELETE FROM User",
        "UPDATE Address SET owner = 2",
        "INSERT INTO Address (city, owner) VALUES ('Wien', 2)",
        "UPDATE User SET home = 4; DELETE FROM Address WHERE _id = 3",
        "DELETE FROM _tidemark_User_places; DELETE FROM Address WHERE _id = 4",
        "UPDATE Address SET _addresses_position = 1 - _addresses_position",
        "UPDATE Address SET owner = 2 WHERE _id = 1; DELETE FROM Address WHERE _id = 1",
        "INSERT INTO Address (city, owner) VALUES ('Wien', 1); UPDATE Address SET owner = 2",
        """
        INSERT INTO User (name) VALUES ('Cyd');
        UPDATE Address SET owner = 3, city = 'x' WHERE _id = 1;
        UPDATE Address SET owner = 2 WHERE _id = 1; DELETE FROM Address WHERE _id = 1
        """,
    ])
    func `discarding restores parts`(_ edit: String) throws {
        let store = try Notebook.store()
        let before = try StoreRows(store).text
        try store.run(edit)
        #expect(try StoreRows(store).text != before)
        try store.discardAll()
        try expect(StoreRows(store).text, is: before)
        try expect(store.outbox(), is: "")
    }

    @Test func `parts of a new row are parts of its creation`() throws {
        let store = try Notebook.store()
        try store.run(
            """
            INSERT INTO User (name) VALUES ('Cyd'); INSERT INTO Address (city, owner) VALUES ('Wien', 3);
            UPDATE Address SET city = 'Graz' WHERE owner = 3; DELETE FROM Address WHERE owner = 3;
            """
        )
        try store.collect()
        try expect(store.outbox(), is: "User#3 create")
    }
}
