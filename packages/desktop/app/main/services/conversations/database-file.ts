import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../ports/infrastructure.ts';
import { APPLICATION_ID, migrate, SCHEMA_VERSION, schemaVersion } from './schema.ts';
import { isDamage, isWrongSchema } from './sqlite-errors.ts';

/** Why a file was set aside: it can't be read, a newer app wrote it, or it is some other program's. */
export type SetAsideReason = 'damaged' | 'newer' | 'foreign';

export interface DatabaseFileOptions {
  /** Absolute path. Its folder is made when missing. */
  file: string;
  logger: Logger;
  /** Moves a file and its companions (suffixes) out of the way and returns the new path. */
  setAside(file: string, reason: SetAsideReason, companions: readonly string[]): string;
  onSetAside(report: { file: string; movedTo: string; reason: SetAsideReason }): void;
}

/** Prepares what will be asked of the database. */
type Prepare<Statements> = (db: DatabaseSync) => Statements;

interface Prepared<Statements> {
  db: DatabaseSync;
  statements: Statements;
}

/** `readOnly`: the disk refuses to write at the moment; what is stored can be read, or there is nothing stored (in memory). */
export interface OpenDatabase<Statements> extends Prepared<Statements> {
  readOnly: boolean;
}

const COMPANIONS = ['-wal', '-shm', '-check'] as const;
/** Up to this size every page is checked at each start (some tenths of a second at worst); beyond it, only when there is a reason. */
const ALWAYS_CHECKED_BYTES = 64 * 1024 * 1024;
const MAGIC = 'SQLite format 3\0';

/**
 * Opens the database, brings it to the newest schema and checks it. A file that isn't a sound database of ours is set aside
 * and replaced by a new one. A disk that refuses to write never counts as damage: the file is opened for reading then.
 *
 * Power loss and crashes: write-ahead log with `synchronous = FULL`, so that whatever has been committed is on the disk; see
 * SqliteConversationStore for the one exception, rows that are being streamed.
 */
export function openDatabaseFile<Statements>(
  options: DatabaseFileOptions,
  prepare: Prepare<Statements>,
): OpenDatabase<Statements> {
  const { file, logger } = options;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const reason = inspectFile(file);
    if (reason) moveAway(options, reason);
    return { ...openSound(options, prepare), readOnly: false };
  } catch (error) {
    logger.warn('The conversations can’t be opened for writing', { file, error });
    return { ...openForReading(options, prepare), readOnly: true };
  }
}

/** Asks for a full check at the next start. Used when damage shows while the app runs. */
export function requestCheck(file: string): void {
  writeFileSync(`${file}-check`, '');
}

function openSound<Statements>(options: DatabaseFileOptions, prepare: Prepare<Statements>): Prepared<Statements> {
  try {
    return openAndCheck(options.file, prepare);
  } catch (error) {
    const reason = error instanceof Unusable ? error.reason : isDamage(error) ? 'damaged' : undefined;
    if (!reason) throw error;
    options.logger.error('The file of conversations can’t be used', { file: options.file, reason, error });
    moveAway(options, reason);
    return openAndCheck(options.file, prepare);
  }
}

class Unusable extends Error {
  readonly reason: SetAsideReason;
  constructor(reason: SetAsideReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

function openAndCheck<Statements>(file: string, prepare: Prepare<Statements>): Prepared<Statements> {
  // A log that is still there means that the last run did not end properly.
  const suspicious = sizeOf(`${file}-wal`) > 0 || existsSync(`${file}-check`);
  const size = sizeOf(file);
  const db = new DatabaseSync(file, { timeout: 2000 });
  try {
    if (size > 0) refuseForeign(db);
    if (size > 0 && (suspicious || size <= ALWAYS_CHECKED_BYTES)) checkPages(db);
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    // What a person deletes is overwritten in the file, not just forgotten.
    db.exec('PRAGMA secure_delete = ON');
    const statements = fitting(() => {
      migrate(db);
      return prepare(db);
    });
    // Fails now rather than at the first message where the file or its folder is read-only.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    rmSync(`${file}-check`, { force: true });
    return { db, statements };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A check of the pages doesn't notice when the words of the schema have changed. */
function fitting<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (isWrongSchema(error)) throw new Unusable('damaged', String(error));
    throw error;
  }
}

function refuseForeign(db: DatabaseSync): void {
  const applicationId = Number(db.prepare('PRAGMA application_id').get()?.application_id);
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n);
  if (applicationId !== APPLICATION_ID && (applicationId !== 0 || tables > 0)) {
    throw new Unusable('foreign', 'The file is a database of another program.');
  }
  const version = schemaVersion(db);
  if (version > SCHEMA_VERSION) throw new Unusable('newer', `Its schema is version ${version}.`);
}

function checkPages(db: DatabaseSync): void {
  const first = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (first !== 'ok') throw new Unusable('damaged', String(first));
}

/** What the first bytes and the size tell, without SQLite, which would throw a log away that belongs to an emptied file. */
function inspectFile(file: string): SetAsideReason | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  const hasLog = sizeOf(`${file}-wal`) > 0;
  if (!stats) return hasLog ? 'damaged' : undefined;
  if (!stats.isFile()) return 'damaged';
  if (stats.size === 0) return hasLog ? 'damaged' : undefined;
  const head = readHead(file);
  if (head.toString('latin1', 0, 16) !== MAGIC) return 'damaged';
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const pages = head.readUInt32BE(28);
  // With a log the file may still have to grow.
  return !hasLog && stats.size < pages * pageSize ? 'damaged' : undefined;
}

function readHead(file: string): Buffer {
  const head = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, head, 0, head.length, 0);
  } finally {
    closeSync(handle);
  }
  return head;
}

function moveAway(options: DatabaseFileOptions, reason: SetAsideReason): void {
  const { file } = options;
  const movedTo = options.setAside(file, reason, COMPANIONS);
  options.onSetAside({ file, movedTo, reason });
}

/** The stored conversations as far as they can be read; an empty database in memory otherwise. */
function openForReading<Statements>(
  { file, logger }: DatabaseFileOptions,
  prepare: Prepare<Statements>,
): Prepared<Statements> {
  const immutable = pathToFileURL(file);
  immutable.searchParams.set('immutable', '1');
  // The second form is for a folder that takes no `-shm` file; it doesn't see what is only in the log.
  for (const location of [file, immutable]) {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(location, { readOnly: true });
      refuseForeign(db);
      checkPages(db);
      if (schemaVersion(db) === SCHEMA_VERSION) return { db, statements: prepare(db) };
      throw new Error('Its tables are those of another version');
    } catch (error) {
      db?.close();
      logger.debug('The conversations can’t be opened this way', { location: String(location), error });
    }
  }
  const empty = new DatabaseSync(':memory:');
  migrate(empty);
  // Refuses every write as a read-only file does: what seems saved must not vanish with the app.
  empty.exec('PRAGMA query_only = ON');
  return { db: empty, statements: prepare(empty) };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
