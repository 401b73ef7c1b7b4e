import { describe, expect, it } from 'vitest'
import { planRush, type RushFlags, rushCommand } from '../../../proof/rush/command.ts'

const startStep = () => ({ to: () => {}, end: () => {} })

const wanted = (...words: string[]) => {
  const flags = rushCommand().exitOverride().parse(words, { from: 'user' }).opts<RushFlags>()
  return planRush({ ...flags, seed: 7, startStep })
}

const crowd = {
  ...{ shoppers: 5000, concurrency: 64, seed: 7, patienceMs: 60_000, settleMs: 150_000 },
  ...{ fault: undefined, kill: undefined, shards: 1, oneShard: false, startStep },
}

/** A sale of a hundred goods, one for each shopper. */
const goods = { kind: 'goods', stock: 100, quantity: 1, limitPerShopper: 1, cancels: true }
/** No rush cancels orders of coupons. */
const coupons = { kind: 'coupon', cancels: undefined }
const rain = '--kind red-packet'

describe('the options of a rush', () => {
  it.each([
    ['default to a hundred goods, one for each shopper', '', {}],
    ['limit a shopper to one order', '--kind coupon --quantity 3', { ...coupons, quantity: 3, limitPerShopper: 3 }],
    ['limit a shopper as --limit says', '--quantity 3 --limit 9', { quantity: 3, limitPerShopper: 9 }],
    ['divide goods (N1)', '--variants 3 --quantity 2', { quantity: 2, limitPerShopper: 2, variants: 3 }],
    ['put a hundred minor units into each packet', `${rain} --stock 500`, { packets: 500, totalAmount: 50_000 }],
    ['put a total into packets', `${rain} --stock 500 --total 777`, { packets: 500, totalAmount: 777 }],
    ['default to a hundred packets', rain, { packets: 100, totalAmount: 10_000 }],
    ['split the stock', '--shards 4 --one-shard', { shards: 4, oneShard: true }],
    ['wait longer for a lost database', '--shards 4 --kill db-4', { shards: 4, kill: 'db-4', settleMs: 240_000 }],
    ['wait as asked', '--shards 4 --kill db-4 --settle 8', { shards: 4, kill: 'db-4', settleMs: 8000 }],
  ])('%s', (_, words, changed) => {
    const [kind, usual] = words.startsWith(rain) ? ['packets', crowd] : ['orders', { ...crowd, ...goods }]
    expect(wanted(...words.split(' ').filter((word) => word !== ''))).toEqual({
      kind,
      options: { ...usual, ...changed },
    })
  })

  it('give the units away in each mode, to a smaller crowd', () => {
    expect(wanted('--mode', 'spread')).toMatchObject({
      kind: 'orders',
      options: { mode: 'spread', shoppers: 1000, stock: 100, cancels: true },
    })
    const all = wanted('--mode', 'all', '--shoppers', '200')
    expect(all).toMatchObject({ kind: 'all-modes', options: { shoppers: 200 } })
    expect(all).not.toHaveProperty('options.mode')
  })

  it.each([
    ['a mode of coupons', '--mode all --kind coupon', '--mode is for goods'],
    ['a mode of variants', '--mode spread --variants 3', '--mode is for goods'],
    ['two units for each in a mode', '--mode spread --quantity 2', '--mode gives a shopper one unit'],
    ['an unlimited mode', '--mode spread --stock -1', '--mode needs a --stock of 1 to 10000000'],
    ['a mode with a fault', '--mode spread --fault sqs:down:9', 'without faults'],
    ['variants of coupons', '--variants 3 --kind coupon', '--variants are those of goods'],
    ['variants of red packets', '--variants 3 --kind red-packet', '--variants are those of goods'],
    ['variants without a limit', '--variants 3 --stock -1', '--variants needs a limited stock'],
    ['more variants than a sale has', '--variants 3 --variants 25', '--variants may be at most 24'],
    ['a quantity of red packets', '--kind red-packet --quantity 1', '--quantity does not apply to red packets'],
    ['a limit of red packets', '--kind red-packet --limit 2', '--limit does not apply to red packets'],
    ['unlimited red packets', '--kind red-packet --stock -1', '--stock is the number of red packets'],
    ['no red packets', '--kind red-packet --stock 0', '--stock is the number of red packets'],
    ['more red packets than a sale holds', '--kind red-packet --stock 1000001', 'from 1 to 1000000'],
    ['less than one minor unit for each', '--kind red-packet --stock 10 --total 9', 'at least one minor unit'],
    ['more money than a sale holds', '--kind red-packet --total 1000000000001', 'at most 1000000000000'],
    ['red packets over several databases', '--kind red-packet --shards 2', '--shards does not apply'],
    ['a lost database of red packets', '--kind red-packet --kill db-2', '--kill needs --shards'],
    ['a split of an unlimited stock', '--stock -1 --shards 2', '--shards needs a limited stock'],
    ['one shard of a stock that is not split', '--one-shard', '--one-shard needs --shards'],
    ['a lost database of a stock that is not split', '--kill db-2', '--kill needs --shards'],
    ['to end a database that is not there', '--shards 3 --kill db-4', '--kill must be one of db-2, db-3'],
    ['to end the store of the gate', '--shards 3 --kill main', 'main is the store of the gate'],
    ['a fault of a database that is not there', '--shards 2 --fault redis/db-3:down:1', 'no database db-3'],
    ['more shards than databases may be started', '--shards 65', 'at most 64'],
    ['a total of goods', '--total 100', '--total'],
    ['a total of coupons', '--kind coupon --total 100', '--total'],
  ])('refuse %s', (_, words, says) => {
    expect(wanted(...words.split(' '))).toMatchObject({ kind: 'refused', detail: expect.stringContaining(says) })
  })

  it('reject unknown kinds', () => {
    const command = rushCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
    expect(() => command.parse(['--kind', 'lottery'], { from: 'user' })).toThrow(/goods, coupon, red-packet/)
  })
})
