//! The table `access_keys`.

use countersign_domain::payload::KeyChanged;

use super::column::ColumnValue;

/// `id`, `seq`, `name`, `role`, `secret_sha256`, `created_at`, `expires_at`, `revoked_at`.
pub(crate) type AccessKeyRow<'a> = [ColumnValue<'a>; 8];

/// The row of a key that was created by the event at `seq`.
pub(crate) fn created(seq: u64, change: &KeyChanged) -> AccessKeyRow<'_> {
    [
        ColumnValue::text(change.key_id.as_str()),
        ColumnValue::number(seq),
        ColumnValue::text(&change.name),
        ColumnValue::text(change.role.as_str()),
        ColumnValue::text(&change.secret_sha256),
        ColumnValue::owned(change.changed_at),
        ColumnValue::or_null(change.expires_at.map(ColumnValue::owned)),
        ColumnValue::Null,
    ]
}

/// What the event at `seq` changes in the row of a key that it revokes.
pub(crate) fn revoke(row: &mut AccessKeyRow<'static>, seq: u64, change: &KeyChanged) {
    let [_, row_seq, .., revoked_at] = row;
    *row_seq = ColumnValue::number(seq);
    *revoked_at = ColumnValue::owned(change.changed_at);
}
