import { describe, expect, it } from 'vitest'
import { command } from '../../../redis/command.ts'
import { countDemand, countRefusedTokens, readDemand, readRefusedTokens } from '../../../redis/gate/demand.ts'
import { removeGate } from '../../../redis/gate/gate.ts'
import { replenish } from '../../../redis/gate/replenish.ts'
import { refusedTokensKey } from '../../../redis/keys.ts'
import { aSale, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const { saleId } = aSale()
const count = (by: 'gate' | 'stock', counts: Record<string, number>) =>
  countDemand(rig.redis, saleId, by, new Map(Object.entries(counts)))
const shown = async () => {
  const { gate, stock } = await readDemand(rig.redis, saleId)
  return { gate: Object.fromEntries(gate), stock: Object.fromEntries(stock) }
}

describe('the counted demand of a sale', () => {
  it('adds up what instances of gate and functions have counted, each by its own', async () => {
    expect(await shown()).toEqual({ gate: {}, stock: {} })
    await Promise.all([
      count('gate', { 'sold-out': 900, forwarded: 3 }),
      count('gate', { 'sold-out': 50 }),
      count('stock', { reserved: 2, 'sold-out': 1 }),
    ])
    expect(await shown()).toEqual({ gate: { 'sold-out': 950, forwarded: 3 }, stock: { reserved: 2, 'sold-out': 1 } })
    const truth = { asOf: 1, total: 5, booked: 0, stockRevision: 0, epoch: 1 }
    const demand = await readDemand(rig.redis, saleId)
    expect(await replenish(rig.redis, saleId, truth), 'and comes with each count of the stock').toMatchObject({
      demand,
    })
  })

  it('of tokens of customers is kept for a day, by issuer and reason, with the last hour that had one', async () => {
    const hour = 3_600_000
    const now = 500_000 * hour
    const refuse = (name: string, at: number, counts: Record<string, number>) =>
      countRefusedTokens(rig.redis, name, new Map(Object.entries(counts)), at)
    await refuse('crm', now - 26 * hour, { future: 9 })
    await refuse('crm', now - 2 * hour, { future: 3, key: 1 })
    await refuse('crm', now + 5, { future: 4 })
    await refuse('till', now, { expired: 1 })
    const read = [
      { issuerName: 'crm', reason: 'future', count: 7, lastAt: now },
      { issuerName: 'crm', reason: 'key', count: 1, lastAt: now - 2 * hour },
      { issuerName: 'till', reason: 'expired', count: 1, lastAt: now },
    ]
    expect(await readRefusedTokens(rig.redis, now + 10)).toEqual(read)
    expect(await readRefusedTokens(rig.redis, now + 30 * hour)).toEqual([])
    expect(await command(rig.redis, ['EXISTS', refusedTokensKey])).toBe(0)
  })

  it('goes with the sale when it is archived', async () => {
    await count('gate', { forwarded: 1 })
    await removeGate(rig.redis, saleId)
    expect(await shown()).toEqual({ gate: {}, stock: {} })
  })
})
