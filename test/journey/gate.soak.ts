/** A crowd in front of a whole system: many instances of the deployed bundle, and the requests they admit. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { configHeader, parseConfig } from '../../edge/config.ts'
import { openFleet } from '../../proof/bench/fleet/fleet.ts'
import { seededRandom } from '../../proof/bench/statistics.ts'
import { type Outgoing, watchOutgoing } from '../outgoing.ts'
import { ownSystem } from './own-stack.ts'
import { eventually, openSale, purchaseAt } from './support.ts'

const { stack, system } = await ownSystem({ challengeCost: 1 })
// Sales open here at once, and not minutes after their creation, so the run that stays with them is started here too.
const ticking = system.startTicking(3000)
afterAll(() => ticking.end())

const gather = (name: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      token: await stack.token(`${name}-${i}`),
      address: `10.0.${i >> 8}.${i & 255}`,
      key: 'one',
    })),
  )

/** The instances' commands to the gate's store. */
function commandsIn(sent: readonly Outgoing[]): string[][] {
  const parsed = parseConfig(['', stack.edge.settings[configHeader]])
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const gateUrl = `${parsed.config.gateUrl}/pipeline`
  return sent.filter(({ url }) => url === gateUrl).flatMap(({ body }) => JSON.parse(body))
}

const [stock, instances, losingClicks] = [100, 64, 8000]

/** 64 gates sell a whole sale to a crowd, until as many clicks as wanted have lost. */
async function playCrowd(name: string) {
  const { saleId, startToken } = await openSale(stack, { requirePass: 'off', stock })
  const waiting = await gather(name, 1000)
  const file = fileURLToPath(new URL('./long-timeout-gate.ts', import.meta.url))
  const fleet = await openFleet(stack.edge, instances, seededRandom(20_261_120), file)
  const counts = new Map<string, number>()
  let losing = 0
  let isSoldOut = false
  async function keepBuying(): Promise<void> {
    while (losing < losingClicks || !isSoldOut) {
      const who = waiting.shift()
      if (who === undefined) throw new Error('no request is waiting')
      const answer = await fleet.send(purchaseAt(saleId, { ...who, startToken }))
      counts.set(answer.code, (counts.get(answer.code) ?? 0) + 1)
      isSoldOut ||= answer.code === 'sold-out' && !answer.isForwarded
      if (answer.code !== 'reserved') {
        losing += 1
        waiting.push(who)
      }
      await nextTurn()
    }
  }
  const outgoing = watchOutgoing()
  const before = await system.counters()
  const from = performance.now()
  await Promise.all(Array.from({ length: 128 }, keepBuying))
  const seconds = (performance.now() - from) / 1000
  const after = await system.counters()
  outgoing.stop()
  const calls = (after.invocations.reserve ?? 0) - (before.invocations.reserve ?? 0)
  return { saleId, counts, calls, seconds, commands: commandsIn(outgoing.sent) }
}

it('a crowd of 8,000 losing requests costs what 100 units cost, and every unit is sold once (G3, G4, G5, L6)', async () => {
  // A function that was too busy or too young to answer in time loses an admission, and its sale says nothing.
  let played = await playCrowd('crowd-1')
  for (let tries = 2; tries <= 3 && played.counts.has('unavailable'); tries += 1)
    played = await playCrowd(`crowd-${tries}`)
  const { saleId, counts, commands, calls, seconds } = played

  for (const code of counts.keys()) expect(['reserved', 'sold-out', 'at-capacity']).toContain(code)
  // The store requests that depend on the clock: flags and versions twice a second, filter and block list once, and a
  // lease request once a second where there was none. The number of shoppers plays no part.
  const questions = commands.filter(([name]) => name?.startsWith('EVAL'))
  expect(questions.length).toBeLessThanOrEqual(1.2 * stock + instances * (seconds + 1))
  const reads = commands.length - questions.length
  expect(reads).toBeLessThanOrEqual(instances * (2 * (2 * seconds + 1) + 2))
  expect(calls).toBeLessThanOrEqual(1.3 * stock)
  expect(counts.get('reserved')).toBe(stock)
  const orders = await eventually(async () => {
    const written = await system.orders(saleId)
    return written.length >= stock ? written : undefined
  })
  expect(orders, 'oversold').toHaveLength(stock)
  expect(new Set(orders.map(({ shopperId }) => shopperId)).size).toBe(stock)
  expect(await system.stockSnapshot(saleId)).toMatchObject({ total: stock, booked: stock })
})
