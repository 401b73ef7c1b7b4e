import { describe, expect, it } from 'vitest'
import { answerSlots, dropNotedAnswers, noteAnswers, readNotedAnswers } from '../../../redis/gate/answers.ts'
import { countDemand, readDemand } from '../../../redis/gate/demand.ts'
import { removeGate } from '../../../redis/gate/gate.ts'
import { replenish } from '../../../redis/gate/replenish.ts'
import { answersKey } from '../../../redis/keys.ts'
import { aSale, raw, shopperNamed, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const { saleId } = aSale()
const shown = async () => {
  const { gate, stock } = await readDemand(rig.redis, saleId)
  return { gate: Object.fromEntries(gate), stock: Object.fromEntries(stock) }
}

describe('the counted demand of a sale', () => {
  it('adds up what instances of gate and functions have counted, each by its own', async () => {
    expect(await shown()).toEqual({ gate: {}, stock: {} })
    await Promise.all([
      countDemand(
        rig.redis,
        saleId,
        'gate',
        new Map([
          ['sold-out', 900],
          ['forwarded', 3],
        ]),
      ),
      countDemand(rig.redis, saleId, 'gate', new Map([['sold-out', 50]])),
      countDemand(
        rig.redis,
        saleId,
        'stock',
        new Map([
          ['reserved', 2],
          ['sold-out', 1],
        ]),
      ),
    ])
    expect(await shown()).toEqual({
      gate: { 'sold-out': 950, forwarded: 3 },
      stock: { reserved: 2, 'sold-out': 1 },
    })
    const truth = { asOf: 1, total: 5, booked: 0, stockRevision: 0, epoch: 1 }
    const demand = await readDemand(rig.redis, saleId)
    expect(await replenish(rig.redis, saleId, truth), 'and comes with each count of the stock').toMatchObject({
      demand,
    })
  })

  it('is beside a sample of answers, which leaves when it is stored, but for what came meanwhile', async () => {
    const noted = (shopper: string) => ({
      ...{ saleId, shopperId: shopperNamed(shopper), code: 'sold-out', at: 1_000 },
    })
    await noteAnswers(rig.redis, answerSlots - 1, [noted('ann'), noted('auth0|bob')])
    await raw(rig.redis, 'HSET', answersKey, '7', 'no answer')
    const read = await readNotedAnswers(rig.redis)
    expect(read.slots.toSorted()).toEqual(['0', '7', '999'])
    expect(read.answers.toSorted((a, b) => (a.shopperId < b.shopperId ? -1 : 1))).toEqual([
      noted('ann'),
      noted('auth0|bob'),
    ])
    await noteAnswers(rig.redis, 1, [noted('cid')])
    for (const _ of ['once', 'again']) await dropNotedAnswers(rig.redis, read.slots)
    expect(await readNotedAnswers(rig.redis)).toEqual({ answers: [noted('cid')], slots: ['1'] })
  })

  it('goes with the sale when it is archived', async () => {
    await countDemand(rig.redis, saleId, 'gate', new Map([['forwarded', 1]]))
    await removeGate(rig.redis, saleId)
    expect(await shown()).toEqual({ gate: {}, stock: {} })
  })
})
