/**
 * Runs the deployed pre-gate in front of the fleet, over a store that the deployed publisher writes. Both use the
 * virtual clock.
 */
import { dist } from '../../../build.ts'
import { passKeysKey } from '../../../core/gate/edge-entry.ts'
import { type PassKeys, passKeysIn } from '../../../core/gate/pass.ts'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import type { Config } from '../../../edge/config.ts'
import type { EdgeStore } from '../../../functions/lib/shop/shop.ts'
import { createEdgePublisher } from '../../../functions/sales/publishing/edge-entries.ts'
import { functionAnswer } from '../../../local/cdn/cloudfront-functions.ts'
import { openEdgeClock } from '../../../local/cdn/edge-times.ts'
import { createKeyValueStore, type KeyValueStore, StoreRefusal } from '../../../local/cdn/key-value-store.ts'
import { loadViewerFunction, viewerEvent } from '../../../local/cdn/viewer-function.ts'
import { readListVersions } from '../../../redis/gate/shared-lists.ts'
import { connectRest } from '../../../redis/upstash-rest.ts'
import { memoryTable, tableName } from '../../simulation/dynamodb/memory-table.ts'
import type { FleetRequest } from '../fleet/fleet.ts'
import { setVirtualClock, virtualNow } from './shared-by-gates.ts'

export type MillionFront = Awaited<ReturnType<typeof openFront>>

type Gate = Pick<Config, 'gateUrl' | 'readerToken'>

const timeoutMs = 10_000

const reader = ({ gateUrl, readerToken }: Gate) =>
  connectRest({ url: gateUrl, firstTimeoutMs: timeoutMs, timeoutMs })(readerToken)

/** Reads the keys with which the gate signs and verifies passes. */
export async function readPassKeys(gate: Gate): Promise<PassKeys> {
  return passKeysIn((await readListVersions(reader(gate))).passKeys)
}

/** The sale is published this long before the clicks, ms, so every location has it by then. */
const knownAheadMs = 60_000

/**
 * Loads the pre-gate of a sale whose first click is at `beginsAt` (epoch ms). Edge locations see a change after
 * `delayMs`.
 */
export async function openFront(
  gate: Gate,
  { saleId: id, beginsAt, delayMs }: { saleId: string; beginsAt: number; delayMs: number },
) {
  const saleId = saleIdOf(id)
  const store = createKeyValueStore({ now: virtualNow, maxDelayMs: delayMs })
  const redis = reader(gate)
  const publish = createEdgePublisher({
    edgeStore: edgeStoreOver(store),
    gate: redis,
    // The publisher reads it only for sales that the gate has closed or lost.
    table: { client: memoryTable().client, name: tableName },
    clock: virtualNow,
    meter: { count: () => {} },
    log: { info: () => {}, warn: () => {}, error: console.error },
  })
  setVirtualClock(beginsAt - knownAheadMs)
  const { passKeys } = await readListVersions(redis)
  store.update(store.facts().etag, { puts: [{ key: passKeysKey, value: passKeys }], deletes: [] })
  await publish(saleId)
  setVirtualClock(beginsAt)
  const times = openEdgeClock()
  const run = times.preGate(await loadViewerFunction(`${dist}/edge/pre-gate.js`, store.location(delayMs), virtualNow))
  return {
    /** Publishes the state of the gate to the store, as the tick does every second. */
    publish: () => publish(saleId),
    time: () => times.read().preGate,
    /** Returns the pre-gate's answer; undefined when it forwards the request. */
    async refusal({ address, method, uri, headers, body }: FleetRequest) {
      const rawHeaders = [...Object.entries(headers).flat(), 'content-length', String(body.length)]
      const event = viewerEvent({ ip: address, method, url: uri, rawHeaders })
      const returned = await run(event)
      if (returned === event.request) return undefined
      const { data = '' } = functionAnswer.parse(returned).body ?? {}
      return { code: /"code":"([a-z-]+)"/.exec(data)?.[1] ?? 'unknown', body: data }
    },
  }
}

function saleIdOf(text: string): SaleId {
  const saleId = parseSaleId(text)
  if (saleId === undefined) throw new TypeError(`${text} is not a sale id`)
  return saleId
}

/** Adapts the key-value store directly instead of over its API, so that the virtual clock applies. */
function edgeStoreOver(store: KeyValueStore): EdgeStore {
  return {
    etag: async () => store.facts().etag,
    read: async (key) => store.get(key),
    async update(etag, changes) {
      const puts = [...changes].flatMap(([key, value]) => (value === undefined ? [] : [{ key, value }]))
      const deletes = [...changes].flatMap(([key, value]) => (value === undefined ? [key] : []))
      try {
        store.update(etag, { puts, deletes })
        return 'updated'
      } catch (error) {
        if (error instanceof StoreRefusal && error.kind === 'ConflictException') return 'conflict'
        throw error
      }
    },
  }
}
