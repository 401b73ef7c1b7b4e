/**
 * Time to the first answer of a cold gate instance, at three distances from its store: the deployed
 * bundle in a new process each time, over TLS, through a proxy that delays every round trip. It
 * counts the requests that wait for each other. The time includes opening the connection.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist } from '../../build.ts'
import { audience, createIdentity, issuer } from '../../cli/identity.ts'
import { parseSaleId, parseShopperId, type SaleId } from '../../core/ids.ts'
import { configHeader, encodeConfig } from '../../edge/config.ts'
import { startRedis } from '../../local/redis/redis-server.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { connectRedis } from '../../redis/client.ts'
import type { Commander } from '../../redis/command.ts'
import { publishSoldOut, setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { type Distant, startDistant, tripsToConnect } from './cold/distant.ts'
import type { ColdAnswer, ColdTask } from './cold/instance.ts'
import { cloudFrontEvent } from './fleet/fleet.ts'
import { openSaleFacts, openStartToken } from './gate/open-sale-facts.ts'
import { inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { median } from './statistics.ts'

const distancesMs = [60, 180, 300]
/** Cold instances for each kind of request and distance. */
const runs = 7
/** The time allowed for the instance itself, whose code is not compiled yet. */
const ownMs = 100
const origin = 'https://shop.example'
const gateTokens = { readerToken: 'of the reader', writerToken: 'of the writer' }

/**
 * A kind of request, the code it must be answered with, and the number of sequential store requests
 * it may need.
 */
type Kind = { what: string; saleId: SaleId; code: string; trips: number }

type Runs = { answers: ColdAnswer[]; requests: number[] }

export async function measureCold(): Promise<Measurement> {
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  const owner = { token: 'of the owner' }
  const edge = [
    { token: gateTokens.readerToken, rules: readerRights },
    { token: gateTokens.writerToken, rules: writerRights },
  ]
  const store = await startUpstashProxy({ redisPort: server.port, tokens: [owner, ...edge], strict: true })
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cold-'))
  try {
    const redis = connectRedis({ url: store.url, ...owner, timeoutMs: 10_000 })
    const kinds = await publishSales(redis)
    const columns: Runs[][] = []
    for (const distanceMs of distancesMs) {
      const distant = await startDistant(store.url, distanceMs)
      const trusted = join(folder, `${distanceMs}.pem`)
      await writeFile(trusted, distant.certificate)
      const column: Runs[] = []
      for (const kind of kinds) column.push(await runAll(kind, distant, trusted, redis))
      columns.push(column)
      await distant.stop()
    }
    const heads = distancesMs.map((ms) => `${ms} ms away`)
    return {
      name: 'cold',
      heads,
      lines: kinds.flatMap((kind, at) =>
        linesOf(
          kind,
          columns.map((column) => column[at]),
        ),
      ),
    }
  } finally {
    await rm(folder, { recursive: true })
    await store.stop()
    await server.stop()
  }
}

/** One sale for each kind of request. */
async function publishSales(redis: Commander): Promise<Kind[]> {
  const now = Date.now()
  const facts = openSaleFacts(now)
  const [early, gone, open] = [saleIdOf('cold-early'), saleIdOf('cold-gone'), saleIdOf('cold-open')]
  await setGate(redis, { ...facts, saleId: early, flag: 'off', startToken: null, startsAt: now + 60_000 })
  await setGate(redis, { ...facts, saleId: gone })
  await publishSoldOut(redis, gone, 0)
  await setGate(redis, { ...facts, saleId: open })
  await replenish(redis, open, {
    asOf: now,
    stockRevision: 0,
    epoch: 1,
    total: 100_000,
    booked: 0,
    ratio: 1.2,
  })
  return [
    { what: 'sold out', saleId: gone, code: 'sold-out', trips: 1 },
    { what: 'a buy request admitted', saleId: open, code: 'forwarded', trips: 2 },
    { what: 'not started', saleId: early, code: 'not-started', trips: 1 },
  ]
}

function saleIdOf(text: string): SaleId {
  const saleId = parseSaleId(text)
  if (saleId === undefined) throw new RangeError(`${text} is not a sale id`)
  return saleId
}

async function runAll(kind: Kind, distant: Distant, trusted: string, redis: Commander): Promise<Runs> {
  const identity = await createIdentity(undefined)
  const shopperId = parseShopperId('ann')
  if (shopperId === undefined) throw new RangeError('ann is a shopper id')
  const token = await identity.token({ shopperId }, { issuer, expiresInSeconds: 600 })
  const secrets = { ...gateTokens, publicKeys: [identity.publicKey], challengeKeys: ['secret'] }
  const open = { gateUrl: distant.url, issuer, audience, origins: [origin], challengeCost: 1 }
  const settings = { [configHeader]: encodeConfig(open, secrets) }
  const call = {
    method: 'POST' as const,
    uri: `/api/sales/${kind.saleId}/orders`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin },
    body: JSON.stringify({ quantity: 1, startToken: openStartToken }),
    address: '203.0.113.7',
  }
  const task: ColdTask = {
    bundle: pathToFileURL(join(dist, 'edge/handler.mjs')).href,
    event: cloudFrontEvent(call, settings, 'cold'),
  }
  const played = await inTurns([task], { rounds: runs, warmUps: 0 }, async () => {
    // A database that has just failed over has no scripts loaded.
    await redis.exec(['SCRIPT', 'FLUSH'])
    const before = distant.requests()
    const answer = await runCold(task, trusted)
    return { answer, requests: distant.requests() - before }
  })
  const found = played.get(task) ?? []
  return { answers: found.map(({ answer }) => answer), requests: found.map(({ requests }) => requests) }
}

async function runCold(task: ColdTask, trusted: string): Promise<ColdAnswer> {
  const file = join(import.meta.dirname, 'cold/instance.ts')
  const child = spawn(process.execPath, [file], {
    env: { NODE_EXTRA_CA_CERTS: trusted },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(task))
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function linesOf({ what, code, trips }: Kind, columns: readonly (Runs | undefined)[]): MeasuredLine[] {
  const found = columns.map((column) => column ?? { answers: [], requests: [] })
  const msOf = (answers: readonly ColdAnswer[]) => answers.map(({ ms }) => ms)
  const shown = (answers: readonly ColdAnswer[]) => {
    const ms = msOf(answers)
    return `${median(ms).toFixed(0)} / ${Math.max(...ms).toFixed(0)}`
  }
  const allTrips = tripsToConnect + trips
  const isWithin = (answers: readonly ColdAnswer[], distanceMs = 0) =>
    msOf(answers).every((ms) => ms <= allTrips * distanceMs + ownMs)
  const wrong = found.map(({ answers }) => answers.filter((one) => one.code !== code).length)
  const most = Math.max(...found.flatMap(({ requests }) => requests))
  return [
    {
      what: `${what}: ms from the request to the first answer, median / worst`,
      value: found.map(({ answers }) => shown(answers)),
      target: `≤ ${allTrips} round trips + ${ownMs}`,
      met: found.every(({ answers }, at) => isWithin(answers, distancesMs[at])),
    },
    {
      what: '  HTTP requests of one instance',
      value: found.map(({ requests }) => String(Math.max(...requests))),
      target: `≤ ${trips}`,
      met: most <= trips,
    },
    {
      what: '  wrong answers',
      value: wrong.map(String),
      target: '0',
      met: wrong.every((count) => count === 0),
    },
  ]
}
