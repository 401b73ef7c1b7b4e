/** The health of the whole system. What can be asked is asked now; what works unseen says so by its signs of life. */
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
import { command } from '../../redis/command.ts'
import { readListVersions } from '../../redis/gate/shared-lists.ts'
import { within } from '../lib/retry.ts'
import type { QueueDepth, ShopContext } from '../lib/shop/shop.ts'
import { messagesIn } from '../lib/shop/shop.ts'
import { type SigningPart, signsOfSales } from '../table/sign-of-life.ts'
import { readSigns, type Sign } from '../table/signs.ts'

type HealthPorts = Pick<
  ShopContext,
  'table' | 'gate' | 'databases' | 'databaseNamed' | 'orderQueue' | 'allDeadLetters' | 'edgeStore' | 'clock'
>

type Row = Omit<PartHealth, 'part'>

/** A part that takes longer counts as one that does not answer, ms. */
const patienceMs = 2500

/** A part that runs every minute is late after this, ms: a run may take 75 s, and the next one begins within a minute. */
const lateMs = 180_000

/** Messages that wait show that their consumer is late when it left no sign for as long, ms. */
const waitMs = 120_000

/** A part that works when there is work says nothing of now after this, ms. */
const recentMs = 3_600_000

/** @throws when the table is unavailable */
export async function readHealth(ports: HealthPorts): Promise<SystemHealth> {
  const { table, gate, orderQueue, allDeadLetters, edgeStore } = ports
  const signs = await readSigns(table)
  const [silent, versions, orders, dead, store] = await Promise.all([
    asked(() => silentDatabases(ports)),
    asked(() => readListVersions(gate)),
    asked(orderQueue.depth),
    asked(allDeadLetters),
    asked(edgeStore.etag),
  ])
  const now = ports.clock()
  const answer = (value: unknown): Row => (value === undefined ? unanswered() : answered(now))
  const signOf = (part: SigningPart) => signs.get(part)
  const ofOptions = Object.fromEntries(workerParts.map((part) => [part, ofWorker(signOf(part), now)])) as Record<
    (typeof workerParts)[number],
    Row
  >
  const rows: Record<HealthPartName, Row> = {
    // The gate has let the request through that this answers.
    gate: answered(now),
    stock: silent === undefined || silent.length > 0 ? unanswered(silent) : answered(now),
    'gate-store': answer(versions),
    'orders-queue': ofQueue(orders, now),
    writer: ofConsumer(signOf('writer'), orders, now),
    'dead-letters': ofDeadLetters(dead, now),
    reconcile: ofSchedule(signOf('reconcile'), now),
    tick: ofSchedule(signOf('tick'), now),
    canary: ofSchedule(signOf('canary'), now),
    'pass-keys': ofPassKeys(versions?.passKeys, now),
    'edge-store': answer(store),
    payments: ofWorker(signOf('payments'), now),
    mail: ofWorker(signOf('mail'), now),
    ...ofOptions,
    pictures: row('unknown', null, 'unrecorded'),
  }
  return {
    parts: healthParts.map((part) => ({ part, ...rows[part] })),
    sales: signsOfSales.flatMap((part) => troublesIn(signOf(part), now)),
    now,
  }
}

/** A part that stopped reporting says nothing of its sales. */
function troublesIn(sign: Sign | undefined, now: number): SaleHealth[] {
  if (sign === undefined || now - sign.at > lateMs) return []
  return sign.names.flatMap((name) => {
    const trouble = readTroubleName(name)
    return trouble === undefined ? [] : [{ ...trouble, at: sign.at }]
  })
}

/** Undefined when there is no answer in time; the functions that need the part log what is wrong with it. */
const asked = <T>(ask: () => Promise<T>): Promise<T | undefined> => within(patienceMs, ask()).catch(() => undefined)

/** The names of the databases of the stock that do not answer. */
async function silentDatabases({ databases, databaseNamed }: HealthPorts): Promise<string[]> {
  const names = (await databases()).map(({ name }) => name)
  const answers = await Promise.all(
    names.map((name) =>
      asked(async () => {
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

const answered = (now: number, count = 0): Row => row('ok', now, 'answers', { count })
const unanswered = (names: readonly string[] = []): Row => row('failing', null, 'unanswered', { names })

const ofQueue = (depth: QueueDepth | undefined, now: number): Row =>
  depth === undefined ? unanswered() : answered(now, messagesIn(depth))

function ofDeadLetters(count: number | undefined, now: number): Row {
  if (count === undefined) return unanswered()
  return count > 0 ? row('failing', now, 'dead', { count }) : answered(now)
}

/** Keys are made a day ahead: one that is missing is due. */
function ofPassKeys(text: string | undefined, now: number): Row {
  if (text === undefined) return row('unknown', null, 'unanswered')
  const known = passKeysIn(text)
  const count = passDays(now).filter((day) => !known.has(day)).length
  return count > 0 ? row('late', now, 'missing', { count }) : answered(now)
}

const ofFailed = ({ at, failed: count, names }: Sign): Row => row('failing', at, 'failed', { count, names })

function ofSchedule(sign: Sign | undefined, now: number): Row {
  if (sign === undefined) return row('unknown', null, 'never')
  if (now - sign.at > lateMs) return row('late', sign.at, 'overdue')
  return sign.failed > 0 ? ofFailed(sign) : row('ok', sign.at, 'worked')
}

function ofWorker(sign: Sign | undefined, now: number): Row {
  if (sign === undefined) return row('unknown', null, 'never')
  if (sign.failed > 0) return ofFailed(sign)
  return now - sign.at > recentMs ? row('unknown', sign.at, 'idle') : row('ok', sign.at, 'worked')
}

function ofConsumer(sign: Sign | undefined, depth: QueueDepth | undefined, now: number): Row {
  const count = depth?.visible ?? 0
  const isSilent = sign === undefined || now - sign.at > waitMs
  return count > 0 && isSilent ? row('late', sign?.at ?? null, 'waiting', { count }) : ofWorker(sign, now)
}
