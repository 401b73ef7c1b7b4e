/**
 * The draw of a sale: its keys in the table, its public files beside the page of the sale, and the steps that publish the
 * rules, the list, the first offers, and later the returned units. Callers hold the lock of the sale; each step is safe to
 * repeat.
 */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { SaleId } from '../../../core/ids.ts'
import { signingKey } from '../../../functions/lib/session-token.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import type { BeaconRound } from '../core/beacon.ts'
import {
  checkDraw,
  listFile,
  roundBytes,
  roundFile,
  signedListFile,
  stepsFile,
  type VerifyRound,
} from '../core/check-draw.ts'
import { type DrawQueues, idBytes, idOf, listOf, type RecordList, recordAt, recordBytes, rootOf } from '../core/list.ts'
import {
  type DrawEvent,
  type DrawKey,
  type DrawList,
  type DrawReceipt,
  type DrawRules,
  type DrawStep,
  fileLines,
  type LineKind,
  lastListAt,
  lineHash,
  listLine,
  readLine,
  readRules,
  rulesFile,
  rulesHash,
  stepLine,
} from '../core/rules.ts'
import { type DrawKeys, ensureDrawKeys, idKeyBytes } from './table.ts'

/** The list is read this long after the close. */
export const listDelayMs = 6000

/**
 * The public files of a draw by their paths; `read` resolves with undefined for a missing one. A write fails if the file has
 * changed since this object last read or wrote it, so a run that lost the lock cannot overwrite another. A file that was
 * never read must be missing or have the same bytes.
 */
export type DrawFiles = {
  read: (path: string) => Promise<Uint8Array | undefined>
  write: (path: string, bytes: Uint8Array) => Promise<void>
}

export type FilesOfDraw = (saleId: SaleId) => DrawFiles

async function createDrawKeys(): Promise<DrawKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ids: randomBytes(idKeyBytes), signing: signingKey.parse(await exportJWK(privateKey)) }
}

/** The keys of a draw; `sign` signs a line with them. */
export type OwnKeys = { ids: Uint8Array; publicKey: DrawKey; sign: SignLine }

/** Keys never change, so an instance caches them. */
const known = new WeakMap<Table, Map<SaleId, Promise<OwnKeys>>>()

/** Returns the keys of a draw, and creates them at the first call. @throws when the table is unavailable */
export async function loadDrawKeys(table: Table, saleId: SaleId): Promise<OwnKeys> {
  const ofTable = known.get(table) ?? new Map<SaleId, Promise<OwnKeys>>()
  known.set(table, ofTable)
  const keys = ofTable.get(saleId) ?? readDrawKeys(table, saleId)
  ofTable.set(saleId, keys)
  return keys.catch((error: unknown) => {
    ofTable.delete(saleId)
    throw error
  })
}

async function readDrawKeys(table: Table, saleId: SaleId): Promise<OwnKeys> {
  const { ids, signing } = await ensureDrawKeys(table, saleId, createDrawKeys)
  const key = await importJWK(signing, 'ES256')
  const { kty, crv, x, y } = signing
  return {
    ids,
    publicKey: { kty, crv, x, y },
    sign: ({ typ }, payload) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', typ })
        .sign(key),
  }
}

/** Rejects writes once `signal` is aborted: another run may then hold the lock, and must be the only writer. */
export const writableUntil = (signal: AbortSignal, { read, write }: DrawFiles): DrawFiles => ({
  read,
  async write(path, bytes) {
    signal.throwIfAborted()
    await write(path, bytes)
  },
})

/** Signs a line with the key of the draw. */
export type SignLine = <T extends DrawList | DrawStep | DrawReceipt>(kind: LineKind<T>, payload: T) => Promise<string>

export type DrawPorts = { files: DrawFiles; sign: SignLine; clock: () => number; verifyRound: VerifyRound }

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Publishes the rules once and returns their hash. @throws when other rules are published, or readers would reject these */
export async function openDraw({ files }: Pick<DrawPorts, 'files'>, rules: DrawRules): Promise<string> {
  const file = bytesOf(`${JSON.stringify(rules, undefined, 2)}\n`)
  const read = readRules(file)
  if (!read.ok) throw new Error(`the rules cannot be published: ${read.detail}`)
  if (lastListAt(rules) <= rules.closesAt)
    throw new Error('the round comes too soon after the close: allow more seconds for the list')
  const published = await files.read(rulesFile)
  if (published !== undefined && bytesToHex(published) !== bytesToHex(file))
    throw new Error('other rules are published, and rules never change')
  if (published === undefined) await files.write(rulesFile, file)
  return bytesToHex(rulesHash(file))
}

/** Publishes and signs the list of these records, once. Returns undefined when the round is too close. */
export async function closeDraw(
  { files, sign, clock }: DrawPorts,
  records: () => Promise<readonly Uint8Array[]>,
): Promise<DrawList | undefined> {
  const file = await files.read(rulesFile)
  const rules = file && readRules(file)
  if (file === undefined || !rules?.ok) throw new Error('the rules are missing or cannot be read')
  const [line] = fileLines(await files.read(signedListFile))
  if (line !== undefined) return readLine(listLine, line)?.payload
  const list = await publishList(files, records)
  const at = clock()
  if (at > lastListAt(rules.value)) return undefined
  const signed = { rules: bytesToHex(rulesHash(file)), at, count: list.count, root: bytesToHex(rootOf(list)) }
  await files.write(signedListFile, bytesOf(`${await sign(listLine, signed)}\n`))
  return signed
}

/** Writes the list once. Every run signs the first list that was written, because two runs may find different late entries. */
async function publishList({ read, write }: DrawFiles, records: () => Promise<readonly Uint8Array[]>) {
  const bytes = await read(listFile)
  if (bytes !== undefined) return { bytes, count: bytes.length / recordBytes }
  const list = listOf(await records())
  await write(listFile, list.bytes)
  return list
}

/**
 * Publishes the beacon's round and makes the first offers. Safe to repeat: a decided draw does not change.
 * @throws before the list is published, and for a draw with a fault
 */
export async function decideDraw(ports: DrawPorts, round: BeaconRound): Promise<DecidedDraw> {
  const { files } = ports
  if ((await files.read(roundFile)) === undefined) await files.write(roundFile, roundBytes(round))
  const decided = await readDecided(ports)
  if (decided.steps.length === 0) await publishStep(ports, decided, [], [...decided.allocation.holds.keys()])
  return decided
}

/**
 * Returns units and offers each to the next rank; resolves with the number of new offers. Skips units that were returned
 * before, so it is safe to repeat. The caller reads the draw again after a failure.
 * @throws for an entry that was never offered a unit, or whose time is not over
 */
export async function returnUnits(
  ports: DrawPorts,
  returns: readonly DrawEvent[],
  decided: DecidedDraw,
): Promise<number> {
  const { allocation, offeredAt, rules } = decided
  const now = ports.clock()
  const fresh = returns.filter(({ entry }) => allocation.holds.get(entry) !== false)
  for (const { entry, reason } of fresh) {
    const at = offeredAt.get(entry)
    if (at === undefined) throw new Error(`entry ${entry} was never offered a unit`)
    const until = at + 1000 * rules.claimWindowSeconds
    if (reason === 'unclaimed' && now < until)
      throw new Error(`the offer of entry ${entry} is kept until ${new Date(until).toISOString()}`)
  }
  if (fresh.length === 0) return 0
  const made = fresh.flatMap(({ entry }) => allocation.release(entry) ?? [])
  await publishStep(ports, decided, fresh, made)
  return made.length
}

/** Reads the whole draw as any reader does, after all steps so far. @throws before the round, and for a draw with a fault */
export async function readDecided({ files, verifyRound }: Pick<DrawPorts, 'files' | 'verifyRound'>) {
  // Each file is read once, so that no step can be written between two reads of the steps.
  const reads = new Map<string, ReturnType<typeof files.read>>()
  const read: typeof files.read = (path) => {
    const known = reads.get(path) ?? files.read(path)
    reads.set(path, known)
    return known
  }
  const { faults, rules, list, result } = await checkDraw(read, { verifyRound })
  const [fault] = faults
  if (fault !== undefined) throw new Error(`a reader rejects this draw: ${fault.fault}, ${fault.detail}`)
  if (rules === undefined || result === undefined || list === undefined)
    throw new Error('the draw is not decided: the round of the beacon is missing')
  const signed = fileLines(await read(signedListFile))
  const steps = fileLines(await read(stepsFile))
  return { ...result, offeredAt: new Map(result.offeredAt), rules, list, steps, signed: signed.at(-1) ?? '' }
}

/** A decided draw; published steps are added to it. */
export type DecidedDraw = Awaited<ReturnType<typeof readDecided>>

async function publishStep(
  { files, sign, clock }: DrawPorts,
  { allocation, offeredAt, steps, signed }: DecidedDraw,
  events: readonly DrawEvent[],
  offers: readonly number[],
): Promise<void> {
  const before = steps.at(-1)
  const last = (before === undefined ? readLine(listLine, signed) : readLine(stepLine, before))?.payload.at
  const step: DrawStep = {
    number: steps.length,
    previous: lineHash(before ?? signed),
    at: Math.max(clock(), (last ?? 0) + 1),
    events: [...events],
    offered: allocation.offered(),
  }
  const line = await sign(stepLine, step)
  // The steps may be a stale read. The file must still have exactly these before it is extended.
  if (!isDeepStrictEqual(fileLines(await files.read(stepsFile)), steps))
    throw new Error('another run has published a step')
  await files.write(stepsFile, bytesOf([...steps, line, ''].join('\n')))
  steps.push(line)
  for (const entry of offers) offeredAt.set(entry, step.at)
}

const rowBytes = idBytes + 6

/** Approximate number of rows in a file: 150 kB. */
const rowsInFile = 4096

const ranksFile = (id: string, digits: number) => `ranks/${id.slice(0, digits) || 'all'}.bin`

/** Writes the ranks, and resolves with the number of digits of an id in the name of its file. Safe to repeat. */
export async function writeRanks({ write }: Pick<DrawFiles, 'write'>, list: RecordList, queues: DrawQueues) {
  const digits = list.count <= rowsInFile ? 0 : list.count <= 16 * rowsInFile ? 1 : 2
  const rankOf = new Uint32Array(list.count)
  for (const queue of queues) {
    queue.forEach((entry, rank) => {
      rankOf[entry] = rank + 1
    })
  }
  const pathOf = (entry: number) => ranksFile(bytesToHex(idOf(list, entry).subarray(0, 1)), digits)
  for (let from = 0, to = 1; from < list.count; from = to, to += 1) {
    const path = pathOf(from)
    while (to < list.count && pathOf(to) === path) to += 1
    const rows = Buffer.alloc((to - from) * rowBytes)
    for (let entry = from; entry < to; entry += 1) {
      const at = (entry - from) * rowBytes
      rows.set(idOf(list, entry), at)
      rows.writeUInt32BE(rankOf[entry] ?? 0, at + idBytes)
      rows.set(recordAt(list, entry).subarray(idBytes), at + idBytes + 4)
    }
    await write(path, rows)
  }
  return digits
}

/** Finds the rank of the entrant with this id (hexadecimal), 0 for one who left, and the drawn record; undefined if there is none. */
export async function findRank(
  { read }: Pick<DrawFiles, 'read'>,
  digits: number,
  id: string,
): Promise<{ rank: number; change: number; variant: number } | undefined> {
  const rows = Buffer.from((await read(ranksFile(id, digits))) ?? new Uint8Array())
  const sought = hexToBytes(id)
  for (let at = 0; at < rows.length; at += rowBytes) {
    if (rows.compare(sought, 0, idBytes, at, at + idBytes) !== 0) continue
    const [change = 0, variant = 0] = rows.subarray(at + idBytes + 4)
    return { rank: rows.readUInt32BE(at + idBytes), change, variant }
  }
  return undefined
}
