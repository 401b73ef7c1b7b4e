/**
 * The key-value store of CloudFront Functions, with its limits and two views: the API reads and writes the current
 * state, and the functions at an edge location read an earlier one.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { writeFileAtomic } from '../../cli/atomic-file.ts'
import { keyValueQuotas as quotas } from '../../system/key-value-store.ts'

/** Times are epoch ms. */
type StoreFacts = { etag: string; itemCount: number; bytes: number; createdAt: number; changedAt: number }

export type KeyValueUpdate = { puts: readonly { key: string; value: string }[]; deletes: readonly string[] }

/** The store as the functions at one edge location read it. `get` throws while the store is unreachable. */
export type EdgeLocation = { get(key: string): string | undefined }

export type KeyValueStore = {
  facts(): StoreFacts
  get(key: string): string | undefined
  /**
   * Applies all changes or none.
   * @throws StoreRefusal
   */
  update(etag: string, changes: KeyValueUpdate): StoreFacts
  /** Returns a location that sees every change `delayMs` after the API. */
  location(delayMs: number): EdgeLocation
}

/** A refusal with the API's error name. */
export class StoreRefusal extends Error {
  override name = 'StoreRefusal'
  readonly kind: 'ConflictException' | 'ValidationException' | 'ServiceQuotaExceededException'

  constructor(kind: StoreRefusal['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export type KeyValueStoreOptions = {
  now: () => number
  /** Maximum delay of a location: older states are dropped. */
  maxDelayMs: number
  /** Stores the content; without it the content ends with the process. */
  file?: string
}

/** An immutable state of the whole store, valid from `at` on. */
type State = { at: number; version: number; values: ReadonlyMap<string, string> }

/** The oldest state first. */
type States = readonly [State, ...State[]]

const kept = z.array(z.tuple([z.string(), z.string()]))

export function createKeyValueStore({ now, maxDelayMs, file }: KeyValueStoreOptions): KeyValueStore {
  const createdAt = now()
  // Every location sees the content of the file at once: it is older than this process.
  const content = file === undefined ? [] : readContent(file)
  let states: States = [{ at: Number.NEGATIVE_INFINITY, version: 0, values: new Map(content) }]
  const present = () => stateAt(states, Number.POSITIVE_INFINITY)

  const factsOf = ({ at, version, values }: State): StoreFacts => ({
    etag: `E${createdAt.toString(36).toUpperCase()}V${version}`,
    itemCount: values.size,
    bytes: sizeOf(values),
    createdAt,
    changedAt: Math.max(at, createdAt),
  })

  return {
    facts: () => factsOf(present()),
    get: (key) => present().values.get(key),
    update(etag, changes) {
      const before = present()
      if (etag !== factsOf(before).etag) {
        throw new StoreRefusal('ConflictException', 'The store has changed since that ETag.')
      }
      refuseBeyondLimits(changes)
      const values = applied(before.values, changes)
      if (sizeOf(values) > quotas.storeBytes) {
        throw new StoreRefusal('ServiceQuotaExceededException', 'The store would be too large.')
      }
      // Written first, so that a failed write leaves the store unchanged.
      if (file !== undefined) writeFileAtomic(file, JSON.stringify([...values]))
      const state = { at: now(), version: before.version + 1, values }
      const oldest = stateAt(states, state.at - maxDelayMs)
      states = [oldest, ...states.filter(({ version }) => version > oldest.version), state]
      return factsOf(state)
    },
    location(delayMs) {
      if (delayMs > maxDelayMs) throw new RangeError(`no location is ${delayMs} ms behind`)
      return { get: (key) => stateAt(states, now() - delayMs).values.get(key) }
    },
  }
}

/** Returns the newest state at `time`. */
function stateAt(states: States, time: number): State {
  return states.findLast(({ at }) => at <= time) ?? states[0]
}

function applied(values: ReadonlyMap<string, string>, { puts, deletes }: KeyValueUpdate): Map<string, string> {
  const changed = new Map(values)
  for (const { key, value } of puts) changed.set(key, value)
  for (const key of deletes) changed.delete(key)
  return changed
}

function refuseBeyondLimits({ puts, deletes }: KeyValueUpdate): void {
  const keys = [...puts.map(({ key }) => key), ...deletes]
  const wrong = (message: string) => new StoreRefusal('ValidationException', message)
  if (keys.length === 0) throw wrong('There is nothing to change.')
  if (keys.length > quotas.keysPerUpdate) throw wrong(`At most ${quotas.keysPerUpdate} keys in one update.`)
  if (new Set(keys).size < keys.length) throw wrong('A key is there twice.')
  if (keys.some((key) => key === '' || bytesOf(key) > quotas.keyBytes)) {
    throw wrong(`A key has 1 to ${quotas.keyBytes} bytes.`)
  }
  if (puts.some(({ value }) => bytesOf(value) > quotas.valueBytes)) {
    throw wrong(`A value has at most ${quotas.valueBytes} bytes.`)
  }
}

function sizeOf(values: ReadonlyMap<string, string>): number {
  let bytes = 0
  for (const [key, value] of values) bytes += bytesOf(key) + bytesOf(value)
  return bytes
}

const bytesOf = (text: string) => Buffer.byteLength(text)

function readContent(file: string): [string, string][] {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    // The file does not exist on the first start.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
