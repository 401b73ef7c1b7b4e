/** Red packets over several databases, in wallets that are paid out: a lost shard brings no money back, and loses none. */
import { beforeEach, describe, expect, it } from 'vitest'
import { withdraw } from '../../../functions/packets/payouts.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { acknowledgeClaims } from '../../../redis/packets/stored-claims.ts'
import { range } from '../../contract/table-rig.ts'
import { splitOver } from '../../redis/packets/split-rain.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { type World, world } from '../../world/world.ts'
import { count, rainOf, totalAmount } from '../repair/rain.ts'

const server = useRedis()
const shards = 3
const stocks = splitOver(server, shards)
let rig: World
const rain = rainOf(
  () => server,
  () => rig,
  () => stocks,
)

beforeEach(async () => {
  rig = await world({ redis: server, databases: shards })
  await rain.open({ shards })
})

/** All that the shopper's wallet holds; the amount that was paid, 0 when there was too little. */
async function payOut(shopper: number): Promise<number> {
  const { currency } = await rain.sale()
  const ports = {
    ...rig.ports,
    ...{ payoutProvider: { ...rig.ports.payoutProvider, account: async () => ({ kind: 'ready' as const }) } },
    ...{
      payoutStep: () => 1,
      payoutTerms: { minimums: { [currency]: 1 } },
    },
  }
  const withdrawing = await withdraw(ports, shopperIdOf(shopper), currency)
  return withdrawing.kind === 'payout' && withdrawing.state.kind === 'paid' ? withdrawing.payout.amount : 0
}

const payOutEach = async (shoppers: readonly number[]) => {
  let paid = 0
  for (const shopper of shoppers) paid += await payOut(shopper)
  return paid
}

describe('packets of several databases that are paid out', () => {
  it('are paid once to the cent, also when every shard is lost and recovered since (N5, P1, P3, P10, S14)', async () => {
    const [early, late] = [range(5), range(2, 6)]
    const claims = await rain.tapAndCredit(...early)
    const due = await rain.tap(...late)
    expect(await payOutEach([...early, ...late])).toBe(claims.reduce((sum, { amount }) => sum + amount, 0))
    for (const shard of range(shards, 0)) await raw(server, 'DEL', ...Object.values(stockKeys(phone, shard)))
    rig.claimsQueued.count = 2
    expect(await rain.rebuild()).toMatchObject({ kind: 'recovered', orders: 5 })
    for (const shopper of early) expect(await rain.tapOnce(shopper)).toMatchObject({ kind: 'repeat' })
    // Their messages were on the way, and are delivered twice.
    for (const _ of [1, 2]) await rain.deliver([...claims, ...due])
    await acknowledgeClaims(stocks, phone, due)
    rig.claimsQueued.count = 0
    for (let minute = 0; minute <= 20; minute += 1) {
      rig.clock.now += 60_000
      await rain.reconcileNow()
    }
    await rain.handOutTheRest()
    expect(await rain.money()).toMatchObject({ claimed: totalAmount })
    const everyone = [...early, ...late, ...range(count, 100)]
    const before = claims.reduce((sum, { amount }) => sum + amount, 0)
    expect(before + (await payOutEach(everyone))).toBe(totalAmount)
    expect(await payOutEach(everyone)).toBe(0)
    expect(await rain.reconcileNow(true)).toMatchObject({ state: 'in-step', drift: 0 })
  })
})
