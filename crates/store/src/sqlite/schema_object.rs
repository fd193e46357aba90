//! What a database's schema consists of, and how two schemas differ.
//!
//! Every row of `sqlite_schema` counts, including objects that look like SQLite's own, because names prove nothing: a trigger can
//! have a table's name, and anybody who makes the schema writable can create an object called `sqlite_…`. Of SQLite's own
//! objects a correct store has only the indexes of primary keys (`sqlite_autoindex_…`). Nothing here uses `AUTOINCREMENT` or
//! `ANALYZE`, so `sqlite_sequence` and `sqlite_stat1` are additions like any other.

use rusqlite::{Connection, types::ValueRef};

use crate::error::Result;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SchemaObject {
    kind: String,
    name: String,
    table: String,
    /// Empty for the indexes that SQLite creates by itself.
    sql: String,
}

impl SchemaObject {
    /// Everything in the schema, sorted.
    pub(crate) fn all(conn: &Connection) -> Result<Vec<Self>> {
        let mut statement = conn.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")?;
        let mut rows = statement.query([])?;
        let mut objects = Vec::new();
        while let Some(row) = rows.next()? {
            let text = |column| Ok::<_, rusqlite::Error>(text(row.get_ref(column)?));
            objects.push(Self { kind: text(0)?, name: text(1)?, table: text(2)?, sql: text(3)? });
        }
        objects.sort_unstable();
        Ok(objects)
    }

    /// One sentence for each object that is in only one of the two schemas. An object that occurs twice counts twice.
    pub(crate) fn differences(expected: &[Self], found: &[Self]) -> Vec<String> {
        let (missing, added) = (without(expected, found), without(found, expected));
        let is_same = |a: &Self, b: &Self| a.kind == b.kind && a.name == b.name;
        let lost = missing.iter().map(|lost| {
            let is_changed = added.iter().any(|other| is_same(lost, other));
            let how = if is_changed { "was changed in" } else { "is missing from" };
            format!("{} {how} the schema", lost.label())
        });
        let new = added.iter().filter(|new| !missing.iter().any(|other| is_same(new, other)));
        lost.chain(new.map(|new| format!("{} was added to the schema", new.label()))).collect()
    }

    /// All of them as one text, to tell two schemas apart.
    #[cfg(test)]
    pub(crate) fn listing(objects: &[Self]) -> String {
        let line = |object: &Self| [&*object.kind, &object.name, &object.table, &object.sql].join("\t");
        objects.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn label(&self) -> String {
        let Self { kind, name, table, .. } = self;
        match kind.as_str() {
            "table" | "view" if table == name => format!("the {kind} {name}"),
            _ => format!("the {kind} {name} on {table}"),
        }
    }
}

/// The objects of `all` that `others` does not have. Both are sorted.
fn without<'a>(all: &'a [SchemaObject], others: &[SchemaObject]) -> Vec<&'a SchemaObject> {
    let mut others = others.iter().peekable();
    let is_in = |object: &SchemaObject, others: &mut std::iter::Peekable<std::slice::Iter<'_, SchemaObject>>| {
        while others.next_if(|other| *other < object).is_some() {}
        others.next_if(|other| *other == object).is_some()
    };
    all.iter().filter(|object| !is_in(object, &mut others)).collect()
}

/// SQLite accepts a definition of any type; one that isn't text was not written by SQLite, and counts as a change.
fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Null => String::new(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(sql: &str) -> Vec<SchemaObject> {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(sql).unwrap();
        SchemaObject::all(&conn).unwrap()
    }

    const BASE: &str = "CREATE TABLE t (a TEXT PRIMARY KEY); CREATE TABLE u (b);";

    fn check(change: &str, expected: &[&str]) {
        let found = SchemaObject::differences(&schema(BASE), &schema(&format!("{BASE} {change}")));
        assert_eq!(found, expected, "{change}");
    }

    #[test]
    fn every_kind_of_object_that_was_added_is_named() {
        check("", &[]);
        check("CREATE TABLE v (c)", &["the table v was added to the schema"]);
        check("CREATE VIEW v AS SELECT 1", &["the view v was added to the schema"]);
        check("CREATE INDEX i ON u (b)", &["the index i on u was added to the schema"]);
        let trigger = "TRIGGER t BEFORE INSERT ON u BEGIN SELECT RAISE(IGNORE); END";
        check(&format!("CREATE {trigger}"), &["the trigger t on u was added to the schema"]);
        let own = "TRIGGER u BEFORE INSERT ON u BEGIN SELECT RAISE(IGNORE); END";
        check(&format!("CREATE {own}"), &["the trigger u on u was added to the schema"]);
        check(
            "ANALYZE",
            &["the table sqlite_stat1 was added to the schema", "the table sqlite_stat4 was added to the schema"],
        );
    }

    #[test]
    fn the_same_definition_as_another_type_is_a_change() {
        check(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = CAST(sql AS BLOB) WHERE name = 'u'",
            &["the table u was changed in the schema"],
        );
    }

    #[test]
    fn an_object_that_was_changed_or_is_missing_is_named() {
        check("DROP TABLE u", &["the table u is missing from the schema"]);
        check("ALTER TABLE u ADD COLUMN c", &["the table u was changed in the schema"]);
        check(
            "ALTER TABLE u RENAME TO v",
            &["the table u is missing from the schema", "the table v was added to the schema"],
        );
        check(
            "DROP TABLE t; CREATE TABLE t (a TEXT)",
            &[
                "the index sqlite_autoindex_t_1 on t is missing from the schema",
                "the table t was changed in the schema",
            ],
        );
    }

    #[test]
    fn an_object_that_occurs_twice_counts_twice() {
        let once = schema(BASE);
        let mut twice = once.clone();
        twice.extend(once.iter().take(1).cloned());
        twice.sort_unstable();
        assert_eq!(SchemaObject::differences(&once, &twice).len(), 1);
        assert_eq!(SchemaObject::differences(&twice, &once).len(), 1);
    }
}
