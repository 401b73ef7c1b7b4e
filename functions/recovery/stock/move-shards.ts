/**
 * Moves the shards of a split sale from databases that do not answer to others. Only a marketer's
 * recovery does so: a database may be down for just a minute, and the sale loses the data in the
 * former database.
 *
 *   1 claim     save the escrow with the shards as lost, so that an old stock of theirs is never trusted
 *   2 freeze    in the new database, before any function looks for the shard there
 *   3 save      the sale with its new databases, and its audit entry
 *   4 publish   functions without a table read the databases from the gate
 *
 * `recoverShards` then rebuilds them. `reconcile` finishes a run that was interrupted after step 3,
 * because the new database has a shard in recovery. Nothing uses the former one any more.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { startRecovery } from '../../../core/stock/escrow.ts'
import { type Database, placementCacheMs, replaceDatabases } from '../../../core/stock/placement.ts'
import { command } from '../../../redis/command.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import type { ShopContext } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { type Actor, auditOf } from '../../sales/audit.ts'
import { revised } from '../../sales/changed-sale.ts'
import { publishToGate } from '../../sales/effects.ts'
import { readOverlappingSales } from '../../sales/placed-sales.ts'
import { findSale, saveSale } from '../../table/sale/sales.ts'
import { changeEscrow } from '../../table/stock/escrows.ts'
import type { RepairPorts } from '../ports.ts'

/** `databaseNamed` returns a client of one database, used for stock or not; undefined for an unknown name. */
export type MovePorts = RepairPorts & Pick<ShopContext, 'databases' | 'databaseNamed'>

export type MovedShard = { shard: number; from: string; to: string }

/** A database counts as lost when it answers none of this many pings in a row. */
const maxPings = 3
const pingEveryMs = 500

/** This process caches the former database for this long; a timer may fire a little early. */
const cacheExpiryMs = placementCacheMs + 100

/** Moves the unavailable shards, under the sale's lock; resolves with the moves. @throws when a part is unavailable */
export async function moveShards(
  ports: MovePorts,
  actor: Actor,
  saleId: SaleId,
  signal: AbortSignal,
): Promise<readonly MovedShard[]> {
  const { table, clock, sleep, log } = ports
  if (!canMove((await findSale(table, saleId))?.sale)) return []
  const answering = await answeringDatabases(ports)
  for (;;) {
    signal.throwIfAborted()
    const record = await findSale(table, saleId)
    if (record === undefined || !canMove(record.sale)) return []
    const { revision, ...kept } = record
    const { sale } = kept
    const databases = replaceDatabases(sale, await readOverlappingSales(ports, sale), answering)
    const moved = movesBetween(sale, databases)
    if (moved.length === 0) return []
    await prepare(ports, saleId, moved, signal)
    const next = revised(sale, clock(), { databases })
    const audit = auditOf({ ...actor, what: 'recover', saleId, when: clock() }, sale, next)
    if ((await saveSale(table, revision, { ...kept, sale: next }, { audit })) === 'conflict') continue
    for (const move of moved) log.warn('shard moved to another database', { saleId, ...move })
    await publishToGate(ports, next)
    await sleep(cacheExpiryMs)
    return moved
  }
}

/** False for red packets: without an escrow, claims in a database that returns would count. */
const canMove = (sale: Sale | undefined) =>
  sale !== undefined && sale.kind !== 'red-packet' && sale.databases.length > 1 && sale.archivedAt === undefined

function movesBetween(before: Sale, databases: readonly string[]): MovedShard[] {
  return before.databases.flatMap((from, shard) => {
    const to = databases[shard]
    return to === undefined || to === from ? [] : [{ shard, from, to }]
  })
}

/** Steps 1 and 2. A repeat with other databases leaves an unused frozen shard behind. */
async function prepare(
  ports: MovePorts,
  saleId: SaleId,
  moved: readonly MovedShard[],
  signal: AbortSignal,
): Promise<void> {
  await changeEscrow(ports, saleId, signal, (escrow) =>
    moved.reduce((next, { shard }) => startRecovery(next, shard), escrow),
  )
  for (const { shard, to } of moved) {
    const database = await ports.databaseNamed(to)
    if (database === undefined) throw new RangeError(`there is no database ${to}`)
    await freeze({ exec: (args) => database.exec(args), shard }, saleId)
  }
}

async function answeringDatabases(ports: MovePorts): Promise<Database[]> {
  const databases = await ports.databases()
  const answers = await Promise.all(databases.map(({ name }) => answersPing(ports, name)))
  return databases.filter((_, at) => answers[at])
}

async function answersPing({ databaseNamed, sleep, log }: MovePorts, name: string): Promise<boolean> {
  const database = await databaseNamed(name)
  if (database === undefined) return false
  for (let call = 1; call <= maxPings; call += 1) {
    if (call > 1) await sleep(pingEveryMs)
    try {
      await command(database, ['PING'])
      return true
    } catch (error) {
      log.warn('a database does not answer', { database: name, call, ...errorFacts(error) })
    }
  }
  return false
}
