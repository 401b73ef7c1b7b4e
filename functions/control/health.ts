/** The health of the whole system. Dependencies are asked now; functions that work in the background report by heartbeat. */
import {
  type HealthPartName,
  healthParts,
  type PartHealth,
  readTroubleName,
  type SaleHealth,
  type SystemHealth,
  workerParts,
} from '../../core/api/health.ts'
import { passDays, passKeysIn } from '../../core/gate/pass.ts'
import { perName } from '../../core/lib/record-names.ts'
import { command } from '../../redis/command.ts'
import { readListVersions } from '../../redis/gate/shared-lists.ts'
import { within } from '../lib/retry.ts'
import { messagesIn, type QueueDepth, type ShopContext } from '../lib/shop/shop.ts'
import { type HeartbeatPart, saleHeartbeats } from '../table/heartbeat.ts'
import { type Heartbeat, readHeartbeats } from '../table/heartbeats.ts'

type HealthPorts = Pick<
  ShopContext,
  'table' | 'gate' | 'databases' | 'databaseNamed' | 'orderQueue' | 'allDeadLetters' | 'edgeStore' | 'clock'
>

type Row = Omit<PartHealth, 'part'>

/** A part that takes longer counts as unavailable, ms. */
const timeoutMs = 2500

/** A part that runs every minute is late after this, ms: a run takes up to 75 s, and the next begins within a minute. */
const lateMs = 180_000

/** A consumer is late when messages wait and its last heartbeat is older than this, ms. */
const maxWaitMs = 120_000

/** A part that works on demand counts as idle this long after its last heartbeat, ms. */
const idleAfterMs = 3_600_000

/** @throws when the table is unavailable */
export async function readHealth(ports: HealthPorts): Promise<SystemHealth> {
  const { table, gate, orderQueue, allDeadLetters, edgeStore } = ports
  const heartbeats = await readHeartbeats(table)
  const [silent, versions, orders, dead, store] = await Promise.all([
    askInTime(() => unavailableDatabases(ports)),
    askInTime(() => readListVersions(gate)),
    askInTime(orderQueue.depth),
    askInTime(allDeadLetters),
    askInTime(edgeStore.etag),
  ])
  const now = ports.clock()
  const answer = (value: unknown): Row => (value === undefined ? unansweredRow() : okRow(now))
  const heartbeatOf = (part: HeartbeatPart) => heartbeats.get(part)
  const ofOptions = perName(workerParts, (part) => workerRow(heartbeatOf(part), now))
  const rows: Record<HealthPartName, Row> = {
    // The request that this answers has passed the gate.
    gate: okRow(now),
    stock: silent === undefined || silent.length > 0 ? unansweredRow(silent) : okRow(now),
    'gate-store': answer(versions),
    'orders-queue': queueRow(orders, now),
    writer: consumerRow(heartbeatOf('writer'), orders, now),
    'dead-letters': deadLettersRow(dead, now),
    reconcile: scheduleRow(heartbeatOf('reconcile'), now),
    tick: scheduleRow(heartbeatOf('tick'), now),
    canary: scheduleRow(heartbeatOf('canary'), now),
    'pass-keys': passKeysRow(versions?.passKeys, now),
    'edge-store': answer(store),
    payments: workerRow(heartbeatOf('payments'), now),
    mail: workerRow(heartbeatOf('mail'), now),
    ...ofOptions,
    pictures: row('unknown', null, 'unrecorded'),
  }
  return {
    parts: healthParts.map((part) => ({ part, ...rows[part] })),
    sales: saleHeartbeats.flatMap((part) => troublesIn(heartbeatOf(part), now)),
    now,
  }
}

/** Ignores heartbeats that are too old to describe the sales now. */
function troublesIn(heartbeat: Heartbeat | undefined, now: number): SaleHealth[] {
  if (heartbeat === undefined || now - heartbeat.at > lateMs) return []
  return heartbeat.names.flatMap((name) => {
    const trouble = readTroubleName(name)
    return trouble === undefined ? [] : [{ ...trouble, at: heartbeat.at }]
  })
}

/** Returns undefined when there is no answer in time. The functions that need the part log what is wrong with it. */
const askInTime = <T>(ask: () => Promise<T>): Promise<T | undefined> => within(timeoutMs, ask()).catch(() => undefined)

/** Returns the names of the stock databases that do not answer. */
async function unavailableDatabases({ databases, databaseNamed }: HealthPorts): Promise<string[]> {
  const names = (await databases()).map(({ name }) => name)
  const answers = await Promise.all(
    names.map((name) =>
      askInTime(async () => {
        const database = await databaseNamed(name)
        return database && command(database, ['PING'])
      }),
    ),
  )
  return names.filter((_, at) => answers[at] === undefined)
}

const row = (
  state: Row['state'],
  at: number | null,
  finding: Row['finding'],
  { count = 0, names = [] }: Partial<Pick<Row, 'count' | 'names'>> = {},
): Row => ({ state, at, finding, count, names })

const okRow = (now: number, count = 0): Row => row('ok', now, 'answers', { count })
const unansweredRow = (names: readonly string[] = []): Row => row('failing', null, 'unanswered', { names })

const queueRow = (depth: QueueDepth | undefined, now: number): Row =>
  depth === undefined ? unansweredRow() : okRow(now, messagesIn(depth))

function deadLettersRow(count: number | undefined, now: number): Row {
  if (count === undefined) return unansweredRow()
  return count > 0 ? row('failing', now, 'dead', { count }) : okRow(now)
}

/** Reports missing pass keys as late, because keys are made a day ahead. */
function passKeysRow(text: string | undefined, now: number): Row {
  if (text === undefined) return row('unknown', null, 'unanswered')
  const known = passKeysIn(text)
  const count = passDays(now).filter((day) => !known.has(day)).length
  return count > 0 ? row('late', now, 'missing', { count }) : okRow(now)
}

const failedRow = ({ at, failed: count, names }: Heartbeat): Row => row('failing', at, 'failed', { count, names })

function scheduleRow(heartbeat: Heartbeat | undefined, now: number): Row {
  if (heartbeat === undefined) return row('unknown', null, 'never')
  if (now - heartbeat.at > lateMs) return row('late', heartbeat.at, 'overdue')
  return heartbeat.failed > 0 ? failedRow(heartbeat) : row('ok', heartbeat.at, 'worked')
}

function workerRow(heartbeat: Heartbeat | undefined, now: number): Row {
  if (heartbeat === undefined) return row('unknown', null, 'never')
  if (heartbeat.failed > 0) return failedRow(heartbeat)
  return now - heartbeat.at > idleAfterMs ? row('unknown', heartbeat.at, 'idle') : row('ok', heartbeat.at, 'worked')
}

function consumerRow(heartbeat: Heartbeat | undefined, depth: QueueDepth | undefined, now: number): Row {
  const count = depth?.visible ?? 0
  const isSilent = heartbeat === undefined || now - heartbeat.at > maxWaitMs
  return count > 0 && isSilent ? row('late', heartbeat?.at ?? null, 'waiting', { count }) : workerRow(heartbeat, now)
}
