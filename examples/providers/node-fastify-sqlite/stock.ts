import { DatabaseSync } from 'node:sqlite';

export type Status = 'available' | 'pending' | 'sold';

export interface Item {
  petId: bigint;
  quantity: bigint;
  status: Status;
}

/** The stock in an SQLite database. */
export class Stock {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    // SQLite's integers have 64 bits, enough for a petId; a quantity has no bounds.
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS inventory (
        pet_id INTEGER PRIMARY KEY,
        quantity TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
      ) STRICT`);
  }

  list(): Item[] {
    return this.#select('SELECT * FROM inventory ORDER BY pet_id');
  }

  /** Sets the quantity of one pet. Returns nothing where there is no such pet. */
  update(petId: bigint, quantity: bigint): Item | undefined {
    const [item] = this.#select(
      'UPDATE inventory SET quantity = ? WHERE pet_id = ? RETURNING *',
      `${quantity}`,
      petId,
    );
    return item;
  }

  put({ petId, quantity, status }: Item): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO inventory (pet_id, quantity, status) VALUES (?, ?, ?)')
      .run(petId, `${quantity}`, status);
  }

  remove(petId: bigint): void {
    this.#database.prepare('DELETE FROM inventory WHERE pet_id = ?').run(petId);
  }

  clear(): void {
    this.#database.exec('DELETE FROM inventory');
  }

  #select(sql: string, ...values: (string | bigint)[]): Item[] {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all(...values).map((row) => ({
      petId: row['pet_id'] as bigint,
      quantity: BigInt(row['quantity'] as string),
      status: row['status'] as Status,
    }));
  }
}
