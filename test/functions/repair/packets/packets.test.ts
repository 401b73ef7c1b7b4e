/** Red packets are reconciled through the real scripts: claims are credited, and what Redis lost is recovered. */

import { describe, expect, it } from 'vitest'
import { readLive } from '../../../../functions/control/live.ts'
import { claimDrift } from '../../../../functions/repair/packets/claim-drift.ts'
import { lastCallMs, returnLeftOver } from '../../../../functions/repair/packets/close-budget.ts'
import { deliveryMs } from '../../../../functions/repair/stock/held-back.ts'
import { repair } from '../../../../functions/sales/repair-sale.ts'
import { moveOn } from '../../../../functions/sales/window-steps.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import type { Commander } from '../../../../redis/command.ts'
import { readGate } from '../../../../redis/gate/gate.ts'
import { stockKeys } from '../../../../redis/keys.ts'
import { outboxSize } from '../../../../redis/orders/outbox.ts'
import { claim } from '../../../../redis/packets/claim.ts'
import { clearPackets } from '../../../../redis/packets/packets.ts'
import { acknowledgeClaims } from '../../../../redis/packets/stored-claims.ts'
import { freeze } from '../../../../redis/stock/freeze.ts'
import { flip } from '../../../../redis/stock/warm.ts'
import { raw, shopperIdOf } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { creditsAt, unavailable, withoutCredits, withSale } from '../../../world/wire.ts'
import { useWorld, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { count, rainOf, totalAmount } from '../rain.ts'

const hour = 3_600_000

const server = useRedis()
const rig = useWorld({ redis: server })

const { open, sale, tap, tapAndCredit, reconcileNow, rebuild, walletOf, money, counts, handOutTheRest, loseStock } =
  rainOf(
    () => server,
    () => rig,
    () => server,
  )
const sum = (claims: readonly { amount: number }[]) => claims.reduce((total, { amount }) => total + amount, 0)

describe('claims that stayed in the outbox (O5, P8)', () => {
  it('are credited by the repair once they are ten seconds old, also while the queue is down', async () => {
    await open()
    const [first] = await tap(1)
    expect(await reconcileNow()).toMatchObject({ resent: 0, waiting: 1, state: 'in-step', drift: null })
    rig.clock.now += 10_000
    expect(await reconcileNow()).toMatchObject({ resent: 1, waiting: 0, drift: 0 })
    expect(await walletOf(1)).toBe(first?.amount)
    expect(await outboxSize(server, phone)).toBe(0)
    expect(await reconcileNow()).toMatchObject({ resent: 0, waiting: 0, drift: 0, state: 'in-step' })
    expect(await money()).toMatchObject({ claimed: first?.amount })
  })

  it('are credited once, though their message was sent after all (I5)', async () => {
    await open()
    const [first] = await tapAndCredit(1)
    await raw(server, 'HSET', stockKeys(phone).outbox, 'shopper-1', await kept(1))
    rig.clock.now += 10_000
    expect(await reconcileNow()).toMatchObject({ resent: 0, waiting: 0, givenUp: 1 })
    expect(await walletOf(1)).toBe(first?.amount)
  })

  it('wait while the table is unavailable, and lose nothing (I6)', async () => {
    await open()
    await tap(1, 2)
    rig.clock.now += 10_000
    const { table } = rig.ports
    rig.ports.table = withoutCredits(table)
    expect(await reconcileNow()).toMatchObject({ resent: 0, waiting: 2 })
    rig.ports.table = table
    expect(await reconcileNow()).toMatchObject({ resent: 2, waiting: 0 })
  })

  it('are rejected to the dead-letter queue when the table can never accept them, and the others are credited', async () => {
    await open()
    await tapAndCredit(1)
    // Redis loses the claim of shopper 1, and hands them another packet.
    await raw(server, 'HDEL', stockKeys(phone).claims, 'shopper-1')
    await tap(1, 2)
    rig.clock.now += 10_000
    await reconcileNow()
    expect(rig.claimLetters.letters).toMatchObject([
      { reason: 'the shopper was credited with another packet of this sale' },
    ])
    expect(await walletOf(2)).toBeGreaterThan(0)
    expect(await outboxSize(server, phone)).toBe(0)
  })
})

describe('claims whose message was lost', () => {
  it('are found by the counts, and credited (I4)', async () => {
    await open()
    await tapAndCredit(1)
    const claims = await tap(2, 3)
    const [, third] = claims
    await acknowledgeClaims(server, phone, claims)
    rig.clock.now += 10_000
    expect(await reconcileNow()).toMatchObject({ drift: 2, holds: { restored: 2 }, state: 'in-step' })
    expect(await walletOf(3)).toBe(third?.amount)
    expect(await reconcileNow()).toMatchObject({ drift: 0, holds: undefined })
  })

  it('are not searched for while others are on their way, unless a marketer reconciles', async () => {
    await open()
    await acknowledgeClaims(server, phone, await tap(1))
    rig.claimsQueued.count = 1
    rig.clock.now += 10_000
    expect(await reconcileNow()).toMatchObject({ drift: null, holds: undefined })
    expect(await reconcileNow(true)).toMatchObject({ drift: null, holds: { restored: 1 } })
  })
})

describe('a rain that Redis lost (P10)', () => {
  it('is recovered with the same packets: shoppers keep theirs, and all others are available', async () => {
    await open()
    const before = await tapAndCredit(1, 2, 3)
    await loseStock()
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3, units: 3 })
    expect(await counts()).toEqual({
      ...{ total: count, loaded: count, waiting: count - 3, claims: 3 },
      ...{ heldBack: 0, stockRevision: 1 },
    })
    expect(await reconcileNow()).toMatchObject({ state: 'in-step', drift: 0 })
    const again = await claim(server, {
      ...{ saleId: phone, shopperId: shopperIdOf(2), startToken: 'none', now: rig.clock.now, requestId: 'r' },
    })
    expect(again).toMatchObject({ kind: 'repeat', message: { packet: before[1]?.packet, amount: before[1]?.amount } })
    const rest = await handOutTheRest()
    const all = [...before, ...rest]
    expect(new Set(all.map(({ packet }) => packet)).size).toBe(count)
    expect(sum(all)).toBe(totalAmount)
    expect(await money()).toEqual({ budget: totalAmount, claimed: totalAmount })
  })

  it('is recovered when only its packets are lost, or only its claims', async () => {
    for (const key of ['packets', 'claims'] as const) {
      Object.assign(rig, await world({ redis: server }))
      await open()
      await tapAndCredit(1, 2)
      await raw(server, 'DEL', stockKeys(phone)[key])
      expect(await reconcileNow(), key).toMatchObject({ state: 'to-recover' })
      expect(await rebuild(), key).toMatchObject({ kind: 'recovered', orders: 2 })
      await handOutTheRest()
      expect(await money(), key).toMatchObject({ claimed: totalAmount })
    }
  })

  it('is recovered when Redis was rolled back', async () => {
    await open()
    await tapAndCredit(1)
    const { claims, packets, stock } = stockKeys(phone)
    const snapshot = [await raw(server, 'DUMP', claims), await raw(server, 'LRANGE', packets, '0', '-1')]
    await tapAndCredit(2, 3)
    // Rolled back to when only shopper 1 had a packet: those of 2 and 3 wait again.
    await raw(server, 'HDEL', claims, 'shopper-2', 'shopper-3')
    await raw(server, 'DEL', packets)
    await raw(server, 'RPUSH', packets, ...[snapshot[1]].flat().map(String))
    expect(await raw(server, 'HGET', stock, 'loaded')).toBe(String(count))
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover', drift: -2 })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3 })
    const rest = await handOutTheRest()
    expect(rest).toHaveLength(count - 3)
    expect(await money()).toMatchObject({ claimed: totalAmount })
  })

  it('credits claims that only Redis knows first', async () => {
    await open()
    const [one] = await tap(1)
    await acknowledgeClaims(server, phone, await tap(2))
    await raw(server, 'DEL', stockKeys(phone).packets)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2 })
    expect(await walletOf(1)).toBe(one?.amount)
    await handOutTheRest()
    expect(await money()).toMatchObject({ claimed: totalAmount })
  })

  it('keeps a claim in the outbox while the table is unavailable (I2)', async () => {
    await open()
    const [one] = await tap(1)
    const claims = await tap(2)
    const [two] = claims
    // Shopper 1 is only in the outbox, shopper 2 only among the claims.
    await raw(server, 'HDEL', stockKeys(phone).claims, 'shopper-1')
    await acknowledgeClaims(server, phone, claims)
    let refusals = 4
    rig.ports.table = onWireAt(rig.ports.table, creditsAt, (send) => {
      refusals -= 1
      return refusals < 0 ? send() : unavailable()
    })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2 })
    expect([await walletOf(1), await walletOf(2)]).toEqual([one?.amount, two?.amount])
    await handOutTheRest()
    expect(await money()).toMatchObject({ claimed: totalAmount })
  })

  it('is not opened while an earlier try has just cleared the packets, and is recovered again', async () => {
    await open()
    const before = await tapAndCredit(1, 2, 3)
    await raw(server, 'DEL', stockKeys(phone).packets)
    const heal = rig.stock.after('load-packets', () => clearPackets(server, phone))
    expect(await rebuild()).toMatchObject({ kind: 'unfinished' })
    heal()
    await expect(tap(4)).rejects.toThrow('unavailable')
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3 })
    expect(sum([...before, ...(await handOutTheRest())])).toBe(totalAmount)
  })

  it('is recovered again, and hands out no packet twice, when an earlier try clears the packets too late', async () => {
    await open()
    const before = await tapAndCredit(1, 2, 3)
    await raw(server, 'DEL', stockKeys(phone).packets)
    const heal = rig.stock.before('unfreeze', () => clearPackets(server, phone))
    expect(await rebuild()).toMatchObject({ kind: 'recovered' })
    heal()
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(await rig.act('resume')).toMatchObject({ status: 200 })
    await expect(tap(1)).rejects.toThrow('unavailable')
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3 })
    expect(sum([...before, ...(await handOutTheRest())])).toBe(totalAmount)
  })

  it('stays closed while it is recovered, and no other function loads packets meanwhile', async () => {
    await open()
    await tapAndCredit(1)
    await tap(2)
    await raw(server, 'DEL', stockKeys(phone).packets)
    const { table } = rig.ports
    rig.ports.table = withoutCredits(table)
    expect(await rebuild()).toMatchObject({ kind: 'unfinished' })
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(await counts()).toMatchObject({ waiting: 0, claims: 2 })
    await expect(tap(5)).rejects.toThrow('unavailable')
    rig.ports.table = table
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 0 })
    expect(await counts()).toMatchObject({ waiting: count - 2, claims: 2 })
  })

  it('is complete after a recovery that was cut off at any call and started again (I5)', async () => {
    for (const where of ['before', 'after'] as const) {
      const calls = await atEachCut(async (call) => {
        Object.assign(rig, await world({ redis: server }))
        await open()
        const before = await tapAndCredit(1, 2)
        await raw(server, 'DEL', stockKeys(phone).packets)
        const names = ['stock', 'table'] as const
        const cut = cutOffAt(rig.ports, names, call, where)
        const first = await rebuild(cut.ports).catch((error: Error) => isCutOff(error))
        if (cut.calls() < call) return false
        expect(first, `${where} call ${call}`).toBe(true)
        rig.clock.now += 10_000
        expect(await rebuild(), `${where} call ${call}`).toMatchObject({ kind: 'recovered', orders: 2 })
        const rest = await handOutTheRest()
        expect(sum([...before, ...rest]), `${where} call ${call}`).toBe(totalAmount)
        return true
      })
      expect(calls).toBeGreaterThan(28)
    }
  })
})

describe('a rain that is compared while it changes', () => {
  it('has no drift when a packet is claimed and credited between the counts (I4)', async () => {
    await open()
    await tapAndCredit(1)
    const { table } = rig.ports
    rig.ports.table = onWireAt(table, 'batch get CAP', async (send) => {
      rig.ports.table = table
      await tapAndCredit(2)
      return send()
    })
    expect(await claimDrift(rig.ports, phone)).toBeNull()
    expect(await claimDrift(rig.ports, phone)).toBe(0)
  })

  it('has no drift as long as counts agree, and one that is too small, while other rains fill the queue of claims (I4)', async () => {
    await open()
    await tapAndCredit(1, 2)
    rig.claimsQueued.count = 40
    expect(await claimDrift(rig.ports, phone)).toBe(0)
    await acknowledgeClaims(server, phone, await tap(3))
    expect(await claimDrift(rig.ports, phone)).toBeNull()
    await raw(server, 'HDEL', stockKeys(phone).claims, 'shopper-1', 'shopper-2')
    expect(await claimDrift(rig.ports, phone)).toBe(-1)
    await freeze(server, phone)
    expect(await claimDrift(rig.ports, phone), 'while it is frozen').toBeNull()
  })

  it('keeps its packets when its end was moved after it was listed, even before Redis has the new end (P3)', async () => {
    await open()
    const listed = await sale()
    rig.clock.now = listed.endsAt + lastCallMs
    const { table } = rig.ports
    rig.ports.table = withSale(table, () => ({ ...listed, endsAt: listed.endsAt + hour }))
    expect(await returnLeftOver(rig.ports, listed)).toBeUndefined()
    expect(await counts()).toMatchObject({ waiting: count })
    rig.ports.table = table
    expect(await returnLeftOver(rig.ports, listed)).toBe(totalAmount)
  })
})

describe('waves (R7)', () => {
  async function openWaves() {
    const { now } = rig.clock
    const first = { startsAt: now, endsAt: now + hour, stock: 3, totalAmount: 100 }
    const startsAt = first.endsAt + hour
    const second = { startsAt, endsAt: startsAt + hour, stock: 2, totalAmount: 1100 }
    const { endsAt } = first
    await open({ startsAt: now, endsAt, packets: undefined, windows: [first, second] })
    return { first, second }
  }

  const moveOnNow = () => moveOn(rig.ports, { who: 'reconcile', requestId: 'r' }, phone)

  it('bring their own packets when the sale moves on to them, and add up to the cent', async () => {
    const { first, second } = await openWaves()
    expect(await counts()).toEqual({ total: 3, loaded: 3, waiting: 3, claims: 0, heldBack: 0, stockRevision: 0 })
    const early = await tapAndCredit(1, 2)
    rig.clock.now = first.endsAt
    await moveOnNow()
    expect(await counts()).toEqual({ total: 5, loaded: 5, waiting: 3, claims: 2, heldBack: 0, stockRevision: 1 })
    await expect(tap(3)).rejects.toThrow(/not-started|stale-page/)
    rig.clock.now = second.startsAt
    await moveOnNow()
    const late = await tapAndCredit(3, 4, 5)
    expect(sum([...early, ...late])).toBe(1200)
    // The rest of the first wave comes first.
    expect(late.map(({ packet }) => packet)).toEqual([2, 3, 4])
    expect(await money()).toEqual({ budget: 1200, claimed: 1200 })
  })

  it('are not reported as sold out by a repair between the new units and their packets', async () => {
    const { first, second } = await openWaves()
    await tapAndCredit(1, 2, 3)
    expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
    expect(await readGate(server, phone)).toMatchObject({ soldOut: true })
    const { table } = rig.ports
    rig.ports.table = onWireAt(table, 'get SEED', () => Promise.reject(new Error('the table is slow')))
    rig.clock.now = first.endsAt
    await expect(moveOnNow()).rejects.toThrow('the table is slow')
    await expect(reconcileNow()).rejects.toThrow('the table is slow')
    expect(await readGate(server, phone)).toMatchObject({ soldOut: false })
    rig.ports.table = table
    rig.clock.now = second.startsAt
    await moveOnNow()
    expect(await tapAndCredit(4, 5)).toHaveLength(2)
  })

  it('are not taken for a Redis that was rolled back by a repair that reads while they are added', async () => {
    const { first, second } = await openWaves()
    await tapAndCredit(1, 2, 3)
    await reconcileNow()
    rig.clock.now = first.endsAt
    const { stock } = rig.ports
    let isFirst = true
    const late: Commander = {
      async exec(args) {
        const isCounting = isFirst && args[0] === 'EVALSHA'
        if (isCounting) isFirst = false
        if (isCounting) await moveOnNow()
        return stock.exec(args)
      },
    }
    expect((await repair({ ...rig.ports, stock: late }, phone)).kind).not.toBe('to-recover')
    rig.clock.now = second.startsAt
    await moveOnNow()
    expect(await tapAndCredit(4, 5)).toHaveLength(2)
  })
})

describe('what is left when a rain is over', () => {
  const end = async () => {
    rig.clock.now = (await sale()).endsAt + lastCallMs
  }

  it('goes back to the budget once every claim is credited: claimed and left are the whole, to the cent', async () => {
    await open()
    const claims = await tapAndCredit(1, 2, 3)
    rig.clock.now = (await sale()).endsAt - 1
    await tap(4)
    rig.clock.now += 1
    // Shopper 4 tapped right at the end, and `reconcile` credits that first.
    expect(await reconcileNow()).toMatchObject({ waiting: 1 })
    expect(await money()).toEqual({ budget: totalAmount, claimed: sum(claims) })
    await end()
    await reconcileNow()
    const claimed = sum(claims) + (await walletOf(4))
    expect(await money()).toEqual({ budget: totalAmount, claimed, closedAt: rig.clock.now })
    expect(await counts()).toEqual({ total: count, loaded: 4, waiting: 0, claims: 4, heldBack: 0, stockRevision: 0 })
    const live = await readLive(rig.ports, phone)
    const left = totalAmount - claimed
    expect(live?.money).toEqual({ budget: totalAmount, claimed, left, returned: left })
    expect(rig.audit().at(-1)).toMatchObject({
      what: 'return',
      who: 'reconcile',
      after: { budget: totalAmount, claimed, returned: left },
    })
  })

  it('goes back once, however often `reconcile` runs (I5)', async () => {
    await open()
    await tapAndCredit(1)
    await end()
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await reconcileNow(turn === 2)).toMatchObject({ state: 'in-step', drift: 0 })
      rig.clock.now += 60_000
    }
    expect(rig.audit().filter(({ what }) => what === 'return')).toHaveLength(1)
  })

  it('goes back when the rain was closed early, or never began', async () => {
    await open()
    await rig.act('close')
    await reconcileNow()
    expect(await money()).toMatchObject({ claimed: 0, closedAt: rig.clock.now })
    Object.assign(rig, await world({ redis: server }))
    await raw(server, 'FLUSHALL')
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
    await rig.ask('POST', '/sales', { ...definition, kind: 'red-packet', packets: { count, totalAmount } })
    await rig.act('warm')
    await end()
    await reconcileNow()
    expect(await money()).toMatchObject({ claimed: 0, closedAt: rig.clock.now })
  })

  it('stays while claims of any rain are on their way, or Redis and the table disagree', async () => {
    await open()
    await tapAndCredit(1)
    await end()
    rig.claimsQueued.count = 1
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    rig.claimsQueued.count = 0
    await raw(server, 'HDEL', stockKeys(phone).claims, 'shopper-1')
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover', drift: -1 })
    expect((await money())?.closedAt).toBeUndefined()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1 })
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('goes back though other rains fill the queue all the time, once no claim of this one can be in it', async () => {
    await open()
    await tapAndCredit(1)
    await end()
    rig.claimsQueued.count = 1
    rig.clock.now += deliveryMs - lastCallMs - 1
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    rig.clock.now += 1
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('is not taken from a shopper who claims a packet just before the budget is closed (I2)', async () => {
    await open()
    await tapAndCredit(1)
    // Redis does not know yet that the sale is closed.
    const heal = rig.stock.fail('warm')
    await expect(rig.act('close')).rejects.toThrow('unavailable')
    heal()
    const done = rig.stock.before('retire-packets', async () => {
      done()
      await tap(2)
      await flip(server, await sale())
    })
    await returnLeftOver(rig.ports, await sale())
    expect((await money())?.closedAt).toBeUndefined()
    rig.clock.now += 10_000
    await reconcileNow()
    expect(await walletOf(2)).toBeGreaterThan(0)
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('is not blocked for ever by a claim that Redis should not have accepted', async () => {
    await open()
    await tapAndCredit(1)
    // Two shoppers have the same packet in Redis, as after an older state of it, and only one can be credited.
    await raw(server, 'HSET', stockKeys(phone).claims, 'shopper-2', await kept(1))
    await end()
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover', drift: 1 })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1 })
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
    expect(rig.claimLetters.letters.at(-1)?.reason).toMatch(/another shopper/)
  })

  it('stays while a marketer may still extend the rain, and for a run that listed the sale before that', async () => {
    await open()
    await tapAndCredit(1)
    const before = await sale()
    rig.clock.now = before.endsAt - 1
    expect(await rig.ask('PATCH', '/sales/phone', { endsAt: before.endsAt + hour })).toMatchObject({ status: 200 })
    rig.clock.now = before.endsAt + lastCallMs
    expect(await returnLeftOver(rig.ports, before)).toBeUndefined()
    rig.clock.now = before.endsAt + hour
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    expect(await counts()).toMatchObject({ waiting: count - 1 })
    await end()
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })
})

async function kept(shopper: number): Promise<string> {
  return String(await raw(server, 'HGET', stockKeys(phone).claims, `shopper-${shopper}`))
}
