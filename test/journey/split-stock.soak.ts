/**
 * One stock over three databases, each with a server and an Upstash API of its own, in the whole system: it loses one shard
 * alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Live } from '../../core/api/control-answers.ts'
import { parseShopperId } from '../../core/ids.ts'
import { homeShard } from '../../core/stock/hash-slot.ts'
import { ownSystem } from './own-stack.ts'
import { type Answer, buy, control, eventually, openSale, type Won, writtenOrder } from './support.ts'

const { stack, system } = await ownSystem({ databases: 3 })
// The balancer works in each run of `reconcile`, by its schedule only once a minute.
const ticking = system.keepTicking(3000)
afterAll(() => ticking.end())

type Opened = { saleId: string; startToken: string }

const mustWait: readonly unknown[] = ['at-capacity', 'unavailable', 'too-many-requests']

/** The first answer that does not ask the shopper to retry. */
async function buyAtLast({ saleId, startToken }: Opened, name: string): Promise<Answer<Won>> {
  const token = await stack.token(name)
  return eventually(async () => {
    const answer = await buy(stack, saleId, { token, startToken })
    if (!mustWait.includes(answer.body.code)) return answer
    await sleep((answer.body.retryAfterSeconds ?? 0) * 1000)
    return undefined
  })
}

const liveOf = ({ saleId }: Opened) => control<Live>(stack, `/sales/${saleId}/live`)

/** The databases of the sale with their states. */
async function statesOf(sale: Opened): Promise<Map<string, string>> {
  const { split } = await liveOf(sale)
  return new Map(split?.shards.map(({ database, state }) => [database, state]))
}

describe('a stock over three databases', () => {
  it('sells on while one of them is lost, whose shard alone is rebuilt with its orders (S15, P10, I1)', async () => {
    const sale = await openSale(stack, { stock: 60, shards: 3 })
    const shoppers = Array.from({ length: 12 }, (_, n) => `lost-${n}`)
    const atHome = (shard: number) =>
      shoppers.filter((name) => {
        const shopperId = parseShopperId(name)
        return shopperId !== undefined && homeShard(shopperId, 3) === shard
      })
    const placed = (await liveOf(sale)).sale.databases
    const shard = placed.indexOf('db-2')
    const [first] = atHome(shard)
    const [other] = atHome((shard + 1) % 3)
    if (first === undefined || other === undefined) throw new Error('a shard is the home of no shopper')
    const won = await buyAtLast(sale, first)
    await writtenOrder(stack, won.body.orderId, await stack.token(first))

    await stack.databases.kill('db-2')
    expect((await statesOf(sale)).get('db-2')).toBe('unreachable')
    expect((await buyAtLast(sale, other)).status).toBe(202)

    await stack.databases.restart('db-2', { keepData: false })
    await eventually(async () => ((await statesOf(sale)).get('db-2') === 'selling' ? true : undefined))
    const states = await statesOf(sale)
    expect([...states.values()]).toEqual(['selling', 'selling', 'selling'])
    const { stock } = await liveOf(sale)
    expect(stock?.total).toBe(60)
    // What it had not sold is held back until no order can be on its way.
    expect(stock?.heldBack).toBeGreaterThan(0)
    const again = await buyAtLast(sale, first)
    expect([again.status, again.body.orderId]).toEqual([200, won.body.orderId])
  })
})
