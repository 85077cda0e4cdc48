PRAGMA user_version = 1;
BEGIN;
CREATE TABLE item (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT UNIQUE,
        payload TEXT NOT NULL,
        reason TEXT NOT NULL,
        queued_at REAL NOT NULL,
        due_at REAL NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        lease TEXT,
        last_error TEXT NOT NULL DEFAULT '',
        given_up INTEGER NOT NULL DEFAULT 0
    ) STRICT;
INSERT INTO item VALUES (1, 'claim', '8f3dda7b178deb819fa9c6e24da1c7f5afa058d1380f40f7786caf8abe615b88', '{"claim": "The mast is painted red.", "confidence": null, "evidence": [{"doc_id": "/tmp/groundwire-compatibility/evidence.txt", "start": 0, "content": "The mast is painted red."}, {"doc_id": "/tmp/groundwire-compatibility/evidence.txt", "start": 25, "content": "It stands in Vik."}]}', 'backend_rate_limited', 1.794781666559211731e+09, 1.794781666559211731e+09, 0, NULL, '', 0);
CREATE INDEX item_due ON item(given_up, due_at);
COMMIT;
