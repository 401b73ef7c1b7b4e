/**
 * The size and the cold import of each deployed bundle, and the time of a refusal at the gate. At the start of a sale the
 * cloud starts many instances at once, and the first shopper of each waits for the import.
 */

import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  bundleLimitsBytes,
  dist,
  edgeBundleLimitBytes,
  functionEntries,
  stripePart,
  viewerFunctionLimitBytes,
} from '../../build.ts'
import type { EdgeEvent } from '../../edge/cloudfront.ts'
import { configHeader, encodeConfig } from '../../edge/config.ts'
import { createGate } from '../../edge/gate.ts'
import type { GateFacts, GateStore } from '../../edge/memory/gate-store.ts'
import { elementsFile, elementsLimitBytes } from '../../static/build.ts'
import { timeColdImport, weighBundle, weightOf } from './edge/bundle.ts'
import { environmentAt } from './edge/environment.ts'
import { openSaleFacts } from './edge/open-sale-facts.ts'
import { cloudFrontEvent } from './fleet/fleet.ts'
import { atMost, inTurns, type MeasuredLine, type Measurement } from './harness.ts'
import { median, spelled } from './statistics.ts'

/** Lambda@Edge starts far from its shoppers as well, and more often. */
const [limitEdgeImportMs, limitImportMs] = [60, 150]
const rounds = 5
const limitRefusalUs = 15
const clientLimitBytes = 5000

/** `file` is loaded first, and `more` where the environment asks for it. */
type Bundle = {
  name: string
  file: string
  more?: string
  environment: Record<string, string>
  limitBytes?: number | undefined
  limitMs: number
}

/** `dist/` must have been built. */
export async function measureEdge(): Promise<Measurement> {
  // Lambda@Edge gives its function no environment.
  const file = 'edge/handler.mjs'
  const gate = { name: 'edge', file, environment: {}, limitBytes: edgeBundleLimitBytes, limitMs: limitEdgeImportMs }
  const bundles: Bundle[] = [gate, ...Object.keys(await functionEntries()).flatMap(bundlesOf)]
  const weighed = await inTurns(bundles, { rounds: 1, warmUps: 0, step: 'bundles' }, measureBundle)
  const { soldOutUs, notStartedUs } = await timeRefusals()
  const { size } = await stat(join(dist, 'edge/pre-gate.js'))
  const { parts } = await weighBundle()
  return {
    name: 'edge',
    lines: [
      atMost('one sold-out in this process, µs', soldOutUs, limitRefusalUs, { digits: 1 }),
      atMost('one not-started in this process, µs', notStartedUs, limitRefusalUs, { digits: 1 }),
      bytesAtMost('pre-gate.js, bytes', size, viewerFunctionLimitBytes),
      ...[...weighed.values()].flat(2),
      weighScript('elements', await readFile(join(dist, 'site', elementsFile)), elementsLimitBytes),
      await weighClient(),
      { what: 'edge, bytes by part', value: parts.map(([name, bytes]) => `${name} ${spelled(bytes)}`).join(', ') },
    ],
  }
}

/** A function that calls the payment provider is measured for each provider. Nothing listens at port 9 (RFC 863, discard). */
function bundlesOf(name: string): Bundle[] {
  const file = `functions/${name}/handler.mjs`
  const environment = environmentAt('http://127.0.0.1:9')
  const bundle = { name, file, environment, limitBytes: bundleLimitsBytes[file], limitMs: limitImportMs }
  const more = `functions/${name}/${stripePart}.mjs`
  if (!existsSync(join(dist, more))) return [bundle]
  return [
    bundle,
    { ...bundle, name: `${name}, Stripe`, more, environment: { ...environment, PAYMENT_PROVIDER: 'stripe' } },
  ]
}

async function measureBundle({ name, file, more, environment, limitBytes, limitMs }: Bundle): Promise<MeasuredLine[]> {
  const files = more === undefined ? [file] : [file, more]
  const { bytes } = weightOf(Buffer.concat(await Promise.all(files.map((part) => readFile(join(dist, part))))))
  const { importMs, processorMs } = await timeColdImport(join(dist, file), environment)
  const value = `${importMs.toFixed(1)} (${processorMs.toFixed(1)} of a processor)`
  return [
    bytesAtMost(`${name}, minified bytes`, bytes, limitBytes),
    atMost(`${name}, cold import, ms`, importMs, limitMs, { value }),
  ]
}

/** The client as a program bundles it. */
async function weighClient(): Promise<MeasuredLine> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(dist, '../client/client.ts')], bundle: true, minify: true },
    ...{ format: 'esm', write: false },
  })
  return weighScript('client', outputFiles[0]?.contents ?? new Uint8Array(), clientLimitBytes)
}

function weighScript(what: string, script: Uint8Array, limitBytes: number): MeasuredLine {
  return bytesAtMost(`${what}, bytes with gzip`, weightOf(script).gzipBytes, limitBytes)
}

function bytesAtMost(what: string, bytes: number, limit: number | undefined): MeasuredLine {
  const value = spelled(bytes)
  return limit === undefined ? { what, value } : atMost(what, bytes, limit, { value, target: spelled(limit) })
}

const refusalsPerRound = 50_000

const facts: GateFacts = {
  ...openSaleFacts(Date.now()),
  soldOut: false,
  soldOutRevision: -1,
  restockedRevision: 0,
  freezes: 0,
}

/**
 * Microseconds of one `sold-out` and one `not-started` refusal of the gate in this process, without a network and with a
 * store in memory, each the median of the rounds.
 */
async function timeRefusals(): Promise<{ soldOutUs: number; notStartedUs: number }> {
  return {
    soldOutUs: await timeRefusal('sold-out', { ...facts, soldOut: true }),
    notStartedUs: await timeRefusal('not-started', { ...facts, flag: 'off' }),
  }
}

async function timeRefusal(code: string, of: GateFacts): Promise<number> {
  const gate = createGate({
    openStore: () => storeOf(of),
    clock: Date.now,
    report: (message, details) => console.error(message, details),
  })
  const event = purchase()
  const answer = await gate(event)
  if (!('body' in answer && answer.body?.toString().includes(`"${code}"`))) {
    throw new Error(`the gate did not answer ${code}`)
  }
  const times = await inTurns([gate], { rounds }, async () => {
    const startedAt = performance.now()
    for (let count = 0; count < refusalsPerRound; count += 1) await gate(event)
    return ((performance.now() - startedAt) * 1000) / refusalsPerRound
  })
  return median(times.get(gate) ?? [])
}

function storeOf(of: GateFacts): GateStore {
  return {
    read: async () => of,
    admit: async (_, { now, waiting }) => ({ kind: 'granted', count: waiting, second: Math.floor(now / 1000) }),
    versions: async () => ({ blocklist: 0, sales: 0, filter: 0, passKeys: '', customers: '' }),
    blocklist: async () => [],
    filter: async () => undefined,
    customers: async () => undefined,
    saleIds: async () => [],
    firstUse: async () => true,
    isMember: async () => false,
    countDemand: async () => {},
  }
}

/**
 * A buy request as a page sends it; its token is never verified, because the sale's state rejects
 * it first.
 */
function purchase(): EdgeEvent {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const config = encodeConfig({
    gateUrl: 'https://gate.example',
    readerToken: 'reader',
    writerToken: 'writer',
    publicKeys: [publicKey.export({ format: 'jwk' })],
    challengeKeys: ['key'],
    issuer: 'https://id.example',
    audience: 'shop',
    origins: ['https://shop.example'],
    challengeCost: 1,
  })
  const request = {
    method: 'POST' as const,
    uri: '/api/sales/phone-42/orders',
    headers: {
      authorization: `Bearer ${'a'.repeat(36)}.${'b'.repeat(200)}.${'c'.repeat(84)}AA`,
      'content-type': 'application/json',
      origin: 'https://shop.example',
    },
    body: JSON.stringify({ quantity: 1, startToken: facts.startToken }),
    address: '203.0.113.7',
  }
  return cloudFrontEvent(request, { [configHeader]: config })
}
