-- A signature of the log's key over size and root, made in the commit that wrote them: nobody without the key can add events, not
-- even behind the last checkpoint.
ALTER TABLE ledger_head ADD COLUMN seal BLOB;
