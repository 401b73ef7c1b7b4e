/**
 * Red packets over three databases, through the whole system: every packet is claimed once while one
 * database fails, and a database that loses its data is recovered while the others give theirs (S14).
 */
import { afterEach, describe, expect, it } from 'vitest'
import type { Live } from '../../core/api/control-answers.ts'
import { ownStack } from './own-stack.ts'
import { type Rain, rainsIn } from './rains.ts'
import { control, eventually } from './support.ts'

const stack = await ownStack({ databases: 3 })
afterEach(() => stack.setFault(null))

const rains = rainsIn(() => stack)
const openRain = (count: number, totalAmount: number) => rains.openRain(count, totalAmount, { shards: 3 })

const creditsOf = async ({ saleId }: Rain, who: string) =>
  (await rains.wallet(who)).credits.filter((credit) => credit.saleId === saleId)

const live = ({ saleId }: Rain) => control<Live>(stack, `/sales/${saleId}/live`)
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('red packets over three databases', () => {
  it('are all claimed once, and credited to the cent, though one database fails on the way (P3, I2)', async () => {
    const rain = await openRain(40, 7777)
    expect((await live(rain)).split?.shards.map(({ granted }) => granted)).toEqual([14, 13, 13])
    await stack.setFault({ target: 'redis', database: 'db-2', mode: 'down', forMs: 2000 })
    const crowd = Array.from({ length: 70 }, (_, shopper) => `crowd-${shopper}`)
    const answers = await Promise.all(crowd.map((who) => rains.claimAtLast(rain, who)))
    const winners = crowd.filter((_, at) => answers[at]?.status === 200)
    const packets = answers.filter(({ status }) => status === 200).map(({ body }) => body)
    expect(new Set(packets.map(({ packetId }) => packetId)).size).toBe(40)
    expect(winners).toHaveLength(40)
    expect(sum(packets.map(({ amount }) => amount))).toBe(7777)
    for (const { status, body } of answers) if (status !== 200) expect(body.code).toBe('sold-out')
    const credits = await eventually(async () => {
      const found = (await Promise.all(winners.map((who) => creditsOf(rain, who)))).flat()
      return found.length === 40 ? found : undefined
    })
    expect(sum(credits.map(({ amount }) => amount))).toBe(7777)
    expect(await live(rain)).toMatchObject({
      stock: { total: 40, booked: 40, available: 0 },
      orders: { sold: 40 },
    })
  })

  it('are recovered alone in a database that lost them, and every shopper keeps the packet (P10, P3)', async () => {
    const rain = await openRain(30, 3000)
    const early = await Promise.all(
      Array.from({ length: 9 }, (_, at) => `early-${at}`).map(async (who) => {
        const { body } = await rains.claimAtLast(rain, who)
        await eventually(async () => (await creditsOf(rain, who)).length === 1 || undefined)
        return { who, packetId: body.packetId }
      }),
    )
    await stack.databases.kill('db-3')
    await stack.databases.restart('db-3', { keepData: false })
    const { databases } = (await live(rain)).sale
    const lost = databases.indexOf('db-3')
    await eventually(async () => {
      await stack.runSchedule('reconcile', { minAgeMs: 0 })
      const states = (await live(rain)).split?.shards.map(({ state }) => state)
      return states?.every((state) => state === 'selling') || undefined
    })
    for (const { who, packetId } of early) {
      expect(await rains.claimAtLast(rain, who)).toMatchObject({ status: 200, body: { packetId } })
    }
    const { stock, orders } = await live(rain)
    expect(orders.sold).toBe(9)
    const mine = early.filter(({ packetId }) => Number(packetId.split('-p').at(-1)) % 3 === lost)
    expect(stock).toMatchObject({ total: 30, heldBack: 10 - mine.length })
    const next = await rains.claimAtLast(rain, 'late')
    expect(next.status).toBe(200)
    expect(Number(next.body.packetId.split('-p').at(-1)) % 3).not.toBe(lost)
  })
})
