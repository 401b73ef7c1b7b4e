import { describe, expect, it } from 'vitest'
import { planRush, type RushFlags, rushCommand } from '../../../proof/rush/command.ts'

const startStep = () => ({ to: () => {}, end: () => {} })

function planned(words: string) {
  const command = rushCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  const flags = command.parse(words.split(' ').filter(Boolean), { from: 'user' }).opts<RushFlags>()
  return planRush({ ...flags, seed: 7, startStep })
}

/** A sale of a hundred goods, one for each shopper. */
const usual = {
  ...{ kind: 'goods', stock: 100, quantity: 1, shards: 1, oneShard: false, shoppers: 5000, concurrency: 64 },
  ...{ seed: 7, startStep, patienceMs: 60_000, settleMs: 150_000, cancels: true, fault: undefined, kill: undefined },
}
/** No rush cancels orders of coupons, or red packets. */
const uncancelled = { cancels: undefined }
const rain = '--kind red-packet'

describe('the options of a rush', () => {
  it.each<[string, string, object]>([
    ['default to a hundred goods, one for each shopper', '', {}],
    ['limit a shopper to one order', '--kind coupon --quantity 3', { kind: 'coupon', quantity: 3, ...uncancelled }],
    ['divide goods (N1)', '--variants 3 --quantity 2', { quantity: 2, variants: 3 }],
    ['put a hundred minor units into each packet', rain, { kind: 'red-packet', totalAmount: 10_000, ...uncancelled }],
    ['put a total into packets', `${rain} --total 777`, { kind: 'red-packet', totalAmount: 777, ...uncancelled }],
    ['split the stock', '--shards 4 --one-shard', { shards: 4, oneShard: true }],
    ['wait longer for a lost database', '--shards 4 --kill db-4', { shards: 4, kill: 'db-4', settleMs: 240_000 }],
    ['give the units away in a mode, to a smaller crowd', '--mode spread', { mode: 'spread', shoppers: 1000 }],
    ['break a part', '--fault sqs:down:5000', { fault: { target: 'sqs', mode: 'down', forMs: 5000 } }],
    [
      'break a database of the stock in some exchanges',
      '--shards 2 --fault redis/db-2:slow:100:0.5',
      { shards: 2, fault: { target: 'redis', database: 'db-2', mode: 'slow', forMs: 100, rate: 0.5 } },
    ],
  ])('%s', (_, words, changed) => {
    expect(planned(words)).toEqual({ options: { ...usual, ...changed } })
  })

  it.each([
    ['a mode of coupons', '--mode all --kind coupon', '--mode compares'],
    ['a mode of variants', '--mode spread --variants 3', '--mode compares'],
    ['two units for each in a mode', '--mode spread --quantity 2', '--mode compares'],
    ['an unlimited mode', '--mode spread --stock -1', '--mode compares'],
    ['a mode with a fault', '--mode spread --fault sqs:down:9', '--mode compares'],
    ['variants of coupons', '--variants 3 --kind coupon', 'variants is only allowed for goods'],
    ['a quantity of red packets', `${rain} --quantity 2`, 'limitPerShopper must be 1 for red packets'],
    ['red packets over several databases', `${rain} --shards 2`, 'shards must be 1 for red packets'],
    ['less than one minor unit for each packet', `${rain} --stock 10 --total 9`, 'at least one minor unit'],
    ['a total of goods', '--total 100', 'packets is required for red packets, and not allowed otherwise'],
    ['a split of an unlimited stock', '--stock -1 --shards 2', 'shards must be 1 for an unlimited stock'],
    ['one shard of a stock that is not split', '--one-shard', '--one-shard needs --shards'],
    ['a lost database of a stock that is not split', '--kill db-2', '--kill needs --shards'],
    ['to end a database that is not there', '--shards 3 --kill db-4', '--kill must be one of db-2, db-3'],
    ['to end the store of the gate', '--shards 3 --kill main', 'main is the store of the gate'],
    ['a fault of a database that is not there', '--shards 2 --fault redis/db-3:down:1', 'no database db-3'],
  ])('refuse %s', (_, words, says) => {
    expect(planned(words)).toEqual({ detail: expect.stringContaining(says) })
  })

  it.each(['--kind lottery', '--fault sqs:down', '--fault sqs/db-2:down:1'])('reject %s', (words) => {
    expect(() => planned(words)).toThrow(/--kind|--fault/)
  })
})
