/** Several databases behind one client: each command reaches the database of its sale. */
import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { joinDatabases } from '../../redis/databases.ts'
import { gateKey, placeInKey, stockKeys } from '../../redis/keys.ts'
import { saleIdOf } from './support.ts'

const [mug, lamp, vase] = [saleIdOf('mug'), saleIdOf('lamp'), saleIdOf('vase')]

type Fake = Commander & { sent: Command[] }

function fakeDatabase(name: string, fails = false): Fake {
  const sent: Fake['sent'] = []
  return {
    sent,
    async exec(command) {
      sent.push(command)
      if (fails) throw new Error(`${name} is down`)
      return `${name}: ${command[0]}`
    },
  }
}

/** `mug` is in the first database, `vase` in one that is not listed, every other sale in the second. */
const placeOf = (saleId: SaleId) => (saleId === mug ? 'first' : saleId === vase ? 'third' : 'second')

function joined(databases: readonly Fake[]) {
  const named = async (name: string) => databases[['first', 'second'].indexOf(name)]
  return joinDatabases({ all: async () => databases, named }, async (saleId) => [placeOf(saleId)])
}

const read = (saleId = mug): Command => ['HMGET', stockKeys(saleId).stock, 'total']
const run = (saleId = mug): Command => ['EVALSHA', 'sha', '2', ...Object.values(stockKeys(saleId)).slice(0, 2), 'x']

describe('a command for a stock', () => {
  it('goes to the database of its sale, by its first key', async () => {
    const [first, second] = [fakeDatabase('first'), fakeDatabase('second')]
    const redis = joined([first, second])
    expect(await redis.exec(read())).toBe('first: HMGET')
    expect(await redis.exec(run(lamp))).toBe('second: EVALSHA')
    expect([first.sent, second.sent]).toEqual([[read()], [run(lamp)]])
  })

  it('is refused when its database is not listed', async () => {
    const [first, second] = [fakeDatabase('first'), fakeDatabase('second')]
    await expect(joined([first, second]).exec(read(vase))).rejects.toThrow('there is no database third')
    expect([first.sent, second.sent]).toEqual([[], []])
  })

  it('goes to all databases when it loads a script', async () => {
    const [first, second] = [fakeDatabase('first'), fakeDatabase('second')]
    expect(await joined([first, second]).exec(['SCRIPT', 'LOAD', 'return 1'])).toBe('first: SCRIPT')
    expect([first.sent.length, second.sent.length]).toEqual([1, 1])
  })

  it('loads a script although a database does not answer, unless none does', async () => {
    const load: Command = ['SCRIPT', 'LOAD', 'return 1']
    const [down, up] = [fakeDatabase('first', true), fakeDatabase('second')]
    expect(await joined([down, up]).exec(load)).toBe('second: SCRIPT')
    await expect(joined([down, fakeDatabase('second', true)]).exec(load)).rejects.toThrow('first is down')
  })

  it('is refused when its key is that of no stock', async () => {
    const redis = joined([fakeDatabase('first'), fakeDatabase('second')])
    await expect(redis.exec(['GET', gateKey(mug)])).rejects.toThrow(TypeError)
    await expect(redis.exec(['PING'])).rejects.toThrow(TypeError)
  })
})

describe('the place in a key', () => {
  it('is its sale and shard', () => {
    for (const key of Object.values(stockKeys(mug))) expect(placeInKey(key)).toEqual({ saleId: mug, shard: 0 })
    expect(placeInKey('stock:{mug:12}:outbox')).toEqual({ saleId: mug, shard: 12 })
  })

  it.each([undefined, '', 'stock:{mug}', 'stock:{mug:x}', 'gate:{mug:0}', 'xstock:{mug:0}', 'stock:{Mug:0}'])(
    'is not there in %s',
    (key) => expect(placeInKey(key)).toBeUndefined(),
  )
})
