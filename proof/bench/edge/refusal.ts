/** Times the gate's refusals in this process: no network, a store in memory. */
import { generateKeyPairSync } from 'node:crypto'
import { parseSaleId } from '../../../core/ids.ts'
import type { EdgeEvent } from '../../../edge/cloudfront.ts'
import { configHeader, encodeConfig } from '../../../edge/config.ts'
import { createGate } from '../../../edge/gate.ts'
import type { GateFacts, GateStore } from '../../../edge/memory/gate-store.ts'
import { cloudFrontEvent } from '../fleet/fleet.ts'
import { inTurns } from '../harness.ts'
import { median } from '../statistics.ts'
import { openSaleFacts } from './open-sale-facts.ts'

const perRound = 50_000
const rounds = 5

const saleId = parseSaleId('phone-42')
const now = Date.now()

const facts: GateFacts = {
  ...openSaleFacts(now),
  soldOut: false,
  soldOutRevision: -1,
  restockedRevision: 0,
  freezes: 0,
}

/** Microseconds of one `sold-out` and one `not-started` refusal, each the median of the rounds. */
export async function timeRefusals(): Promise<{ soldOutUs: number; notStartedUs: number }> {
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
    for (let count = 0; count < perRound; count += 1) await gate(event)
    return ((performance.now() - startedAt) * 1000) / perRound
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
    uri: `/api/sales/${saleId}/orders`,
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
