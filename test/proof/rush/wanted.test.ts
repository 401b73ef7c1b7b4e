import { describe, expect, it } from 'vitest'
import { type RushFlags, rushCommand, wantedRush } from '../../../proof/rush/command.ts'

const startStep = () => ({ to: () => {}, end: () => {} })

const wanted = (...words: string[]) => {
  const flags = rushCommand().exitOverride().parse(words, { from: 'user' }).opts<RushFlags>()
  return wantedRush({ ...flags, seed: 7, startStep })
}

const crowd = {
  ...{ shoppers: 5000, concurrency: 64, seed: 7, patienceMs: 60_000, settleMs: 150_000 },
  ...{ fault: undefined, kill: undefined, shards: 1, oneShard: false, startStep },
}

describe('the options of a rush', () => {
  it('default to a hundred goods, one for each shopper', () => {
    expect(wanted()).toEqual({
      kind: 'orders',
      options: { ...crowd, kind: 'goods', stock: 100, quantity: 1, limitPerShopper: 1, cancels: true },
    })
  })

  it('limit a shopper to one order unless --limit says otherwise', () => {
    expect(wanted('--kind', 'coupon', '--quantity', '3')).toMatchObject({
      options: { kind: 'coupon', quantity: 3, limitPerShopper: 3 },
    })
    expect(wanted('--quantity', '3', '--limit', '9')).toMatchObject({ options: { limitPerShopper: 9 } })
  })

  it('divide the stock of goods among variants (N1)', () => {
    expect(wanted('--variants', '3', '--quantity', '2')).toMatchObject({
      options: { kind: 'goods', stock: 100, quantity: 2, variants: 3 },
    })
  })

  it('put a hundred minor units into each red packet by default', () => {
    const words = ['--kind', 'red-packet', '--stock', '500']
    expect(wanted(...words)).toEqual({ kind: 'packets', options: { ...crowd, packets: 500, totalAmount: 50_000 } })
    expect(wanted(...words, '--total', '777')).toMatchObject({ options: { totalAmount: 777 } })
    expect(wanted('--kind', 'red-packet')).toMatchObject({ options: { packets: 100, totalAmount: 10_000 } })
  })

  it('split the stock, and wait longer for the units of a database that is lost', () => {
    expect(wanted('--shards', '4', '--one-shard')).toMatchObject({
      options: { shards: 4, oneShard: true, patienceMs: 60_000, settleMs: 150_000 },
    })
    const lost = ['--shards', '4', '--kill', 'db-4']
    expect(wanted(...lost)).toMatchObject({
      options: { shards: 4, kill: 'db-4', patienceMs: 60_000, settleMs: 240_000 },
    })
    expect(wanted(...lost, '--settle', '8')).toMatchObject({ options: { settleMs: 8000 } })
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
