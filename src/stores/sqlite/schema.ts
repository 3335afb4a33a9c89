/** Marks a file as ours: `Stkc` in ASCII. */
export const applicationId = 0x53746b63;

/**
 * What makes a file of one version from one of the version before; the first makes it from nothing.
 * What was published is never edited: a change is another entry.
 */
export const migrations: readonly string[] = [
  `
  -- What inventories start from. Never changed, and shared by all that start from the same.
  CREATE TABLE seeds (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    -- SHA-256 of the items.
    digest BLOB NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE seed_items (
    seed INTEGER NOT NULL,
    position INTEGER NOT NULL,
    petId INTEGER NOT NULL,
    -- An integer, or its digits as text where it is no int64.
    quantity ANY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
    PRIMARY KEY (seed, position)
  ) STRICT, WITHOUT ROWID;

  -- The inventories of sandboxes, and those that snapshots keep.
  CREATE TABLE inventories (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    seed INTEGER NOT NULL,
    -- Counts the writes.
    revision INTEGER NOT NULL,
    -- The revision that changed it as a whole: what was known before is of no use.
    epoch INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX inventories_of_seed ON inventories (seed);

  -- Where an inventory differs from its seed.
  CREATE TABLE changes (
    inventory INTEGER NOT NULL,
    position INTEGER NOT NULL,
    quantity ANY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
    -- The revision that wrote it.
    revision INTEGER NOT NULL,
    PRIMARY KEY (inventory, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sandboxes (
    -- In the order they were created.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    -- SHA-256 of the key, which itself is nowhere.
    keyDigest BLOB UNIQUE,
    settings TEXT NOT NULL,
    -- In milliseconds since the epoch.
    expiresAt REAL,
    seed INTEGER NOT NULL,
    inventory INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sandboxes_by_expiry ON sandboxes (expiresAt) WHERE expiresAt IS NOT NULL;
  CREATE INDEX sandboxes_of_seed ON sandboxes (seed);

  CREATE TABLE snapshots (
    -- In the order they were taken.
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    sandbox INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- In milliseconds since the epoch.
    createdAt REAL NOT NULL,
    inventory INTEGER NOT NULL,
    UNIQUE (sandbox, name)
  ) STRICT;
  `,
  `
  -- What processes count together, such as the requests that a fault has seen.
  CREATE TABLE counters (
    sandbox INTEGER NOT NULL,
    name TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (sandbox, name)
  ) STRICT, WITHOUT ROWID;
  `,
];
