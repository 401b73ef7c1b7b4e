import { describe, expect, it } from 'vitest'
import { defaultThrottle } from '../../../core/sale/sale.ts'
import { settingNames, settingOf } from '../../../core/sale/settings.ts'
import { redisSoldOutPublisher } from '../../../functions/entries/adapters/gate.redis.ts'
import type { Command } from '../../../redis/command.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import {
  gateFactsOf as factsOfSale,
  type GateFactsToWrite,
  publishRestocked,
  publishSoldOut,
  readGate,
  readGates,
  setGate,
} from '../../../redis/gate/gate.ts'
import { gateKey } from '../../../redis/keys.ts'
import { aSale, commandCounts, raw, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const gateFactsOf = (changes: Partial<GateFactsToWrite> = {}): GateFactsToWrite => ({
  ...factsOfSale(aSale({ version: 3, requirePass: 'off' }), { frozen: false }),
  ...changes,
})

const soldOut = async ({ saleId }: GateFactsToWrite) => (await readGate(rig.redis, saleId))?.soldOut

describe('the gate’s facts', () => {
  it('are read back as published, in one command (G3)', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    const { saleId, ...rest } = facts
    expect(await readGate(rig.redis, saleId)).toEqual({
      ...rest,
      soldOut: false,
      soldOutRevision: -1,
      restockedRevision: 0,
      freezes: 0,
    })
    expect((await commandCounts(rig.redis)).get('hmget')).toBe(1)
  })

  it('of several sales are read in one request, each as it is', async () => {
    const sales = [gateFactsOf(), gateFactsOf({ flag: 'paused' })]
    for (const facts of sales) await setGate(rig.redis, facts)
    const saleIds = [...sales.map(({ saleId }) => saleId), aSale().saleId]
    let requests = 0
    const pipeline = async (reads: readonly Command[]) => {
      requests += 1
      return Promise.all(reads.map((read) => rig.redis.exec(read)))
    }
    const found = await readGates({ pipeline }, saleIds)
    expect([requests, found.size]).toEqual([1, 2])
    for (const saleId of saleIds) expect(found.get(saleId)).toEqual(await readGate(rig.redis, saleId))
  })

  it('have the start of the next window, and none after the last (R7)', () => {
    const windows = [
      { startsAt: 1_000, endsAt: 9_000, stock: 10 },
      { startsAt: 20_000, endsAt: 29_000, stock: 5 },
    ]
    const nextOf = (windowIndex: number) => factsOfSale(aSale({ windows, windowIndex }), { frozen: false }).nextStartsAt
    expect([nextOf(0), nextOf(1)]).toEqual([20_000, null])
  })

  it('of a sale that never started carry no token (C6)', async () => {
    const facts = gateFactsOf({ flag: 'off', epoch: 0, startToken: null })
    await setGate(rig.redis, facts)
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ flag: 'off', startToken: null })
  })

  it('are unknown for a sale that was not published, also when it sold out before that (I6)', async () => {
    const facts = gateFactsOf()
    expect(await readGate(rig.redis, facts.saleId)).toBeUndefined()
    await publishSoldOut(rig.redis, facts.saleId, 0)
    expect(await readGate(rig.redis, facts.saleId)).toBeUndefined()
    await setGate(rig.redis, facts)
    expect(await soldOut(facts)).toBe(true)
  })

  it('are replaced by a newer version, repaired by the same, and not changed by an older one', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    await setGate(rig.redis, { ...facts, version: 4, flag: 'paused' })
    await setGate(rig.redis, facts)
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ version: 4, flag: 'paused' })
    await raw(rig.redis, 'HSET', gateKey(facts.saleId), 'flag', 'on')
    await setGate(rig.redis, { ...facts, version: 4, flag: 'paused' })
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ version: 4, flag: 'paused' })
  })
})

describe('the rules of the gate for a sale (R2, R5, R6, R7)', () => {
  const rules = {
    kind: 'red-packet',
    throttle: { ...defaultThrottle, perIp: { limit: 7, windowSeconds: 3 } },
    minLevel: 3,
    challenge: 'pow',
    requirePass: 'on',
    spreadSeconds: 30,
  } as const

  it('are read back as published, with the start of the next window', async () => {
    const facts = gateFactsOf({ rules, nextStartsAt: 12_000 })
    await setGate(rig.redis, facts)
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ rules, nextStartsAt: 12_000 })
    await setGate(rig.redis, { ...facts, version: 4, nextStartsAt: null })
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ nextStartsAt: null })
  })

  it.each([{}, { earlyAccess: { minutes: 10, minLevel: 3 } }, { invitedOnly: true }] as const)(
    'say who may buy first, or alone: %j',
    async (buyers) => {
      const facts = gateFactsOf({ rules: { ...rules, ...buyers } })
      await setGate(rig.redis, facts)
      expect((await readGate(rig.redis, facts.saleId))?.rules).toEqual({ ...rules, ...buyers })
    },
  )

  it('have the pages of other sites that may sell the sale, until it names none', async () => {
    const allowedOrigins = ['https://host.example', 'http://localhost:8080']
    const facts = gateFactsOf({ rules: { ...rules, allowedOrigins } })
    await setGate(rig.redis, facts)
    expect((await readGate(rig.redis, facts.saleId))?.rules).toEqual({ ...rules, allowedOrigins })
    await setGate(rig.redis, { ...facts, version: 4, rules })
    expect((await readGate(rig.redis, facts.saleId))?.rules).toEqual(rules)
  })

  it('have no other fields of a sale', async () => {
    const sale = aSale()
    await setGate(rig.redis, { ...gateFactsOf(), ...sale, rules: sale })
    const known = settingNames.filter((name) => settingOf(name).gate).map((name) => name.split('.')[0])
    const rules = Object.entries(sale).filter(([name]) => name === 'kind' || known.includes(name))
    expect((await readGate(rig.redis, sale.saleId))?.rules).toEqual(Object.fromEntries(rules))
  })

  it.each([
    ['nothing', undefined],
    ['empty', ''],
    ['a word', 'perhaps'],
    ['of no object', '7'],
    ...Object.keys(rules).map((name): [string, string] => [
      `without ${name}`,
      JSON.stringify({ ...rules, [name]: undefined }),
    ]),
    ['with a limit that is not a number', JSON.stringify({ ...rules, minLevel: '3' })],
    ['with a fraction', JSON.stringify({ ...rules, spreadSeconds: 0.5 })],
    ['with an unknown challenge', JSON.stringify({ ...rules, challenge: 'captcha' })],
    ['of an unknown kind', JSON.stringify({ ...rules, kind: 'lottery' })],
    ['with early access of no level', JSON.stringify({ ...rules, earlyAccess: { minutes: 10 } })],
  ])('that cannot be read completely are an outage, not an open gate (I6): %s', async (_, stored) => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    const change = stored === undefined ? ['HDEL', 'rules'] : ['HSET', 'rules', stored]
    const [name = '', ...rest] = change
    await raw(rig.redis, name, gateKey(facts.saleId), ...rest)
    await expect(readGate(rig.redis, facts.saleId)).rejects.toThrow(UnexpectedReply)
  })
})

describe('a freeze at the gate', () => {
  it('can change within one version', async () => {
    const facts = gateFactsOf()
    for (const frozen of [true, false, true]) {
      await setGate(rig.redis, { ...facts, frozen })
      expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ frozen, version: 3, flag: 'on' })
    }
  })

  it('is not lifted by an older version of the sale (I6)', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, { ...facts, version: 4, frozen: true })
    await setGate(rig.redis, facts)
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ frozen: true, version: 4 })
  })

  it('that cannot be read is an outage, not an open gate (I6)', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    await raw(rig.redis, 'HSET', gateKey(facts.saleId), 'frozen', 'perhaps')
    await expect(readGate(rig.redis, facts.saleId)).rejects.toThrow('frozen is not an integer')
  })
})

describe('sold out at the gate', () => {
  it('lasts until a later revision of the stock is published (G4, G7)', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    await publishSoldOut(rig.redis, facts.saleId, 0)
    expect(await soldOut(facts)).toBe(true)
    await publishRestocked(rig.redis, facts.saleId, 1)
    expect(await soldOut(facts)).toBe(false)
    await publishSoldOut(rig.redis, facts.saleId, 1)
    expect(await soldOut(facts)).toBe(true)
    expect(await readGate(rig.redis, facts.saleId)).toMatchObject({ soldOutRevision: 1, restockedRevision: 1 })
  })

  it('is not restored by older updates, in any order (I5)', async () => {
    const updates = [
      (t: GateFactsToWrite) => publishSoldOut(rig.redis, t.saleId, 0),
      (t: GateFactsToWrite) => publishRestocked(rig.redis, t.saleId, 1),
      (t: GateFactsToWrite) => publishRestocked(rig.redis, t.saleId, 2),
      (t: GateFactsToWrite) => publishSoldOut(rig.redis, t.saleId, 1),
    ]
    for (const order of [updates, updates.toReversed(), [...updates, ...updates]]) {
      const facts = gateFactsOf()
      await setGate(rig.redis, facts)
      for (const publish of order) await publish(facts)
      expect(await soldOut(facts)).toBe(false)
    }
  })

  it('survives a new version of the sale', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    await publishSoldOut(rig.redis, facts.saleId, 0)
    await setGate(rig.redis, { ...facts, version: 9 })
    expect(await soldOut(facts)).toBe(true)
  })

  it('is published once for each revision by an environment, from any caller (G4)', async () => {
    const facts = gateFactsOf()
    await setGate(rig.redis, facts)
    const publisher = redisSoldOutPublisher(rig.redis)
    await publisher.publish(facts.saleId, 0)
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    await Promise.all(Array.from({ length: 20 }, () => publisher.publish(facts.saleId, 0)))
    expect((await commandCounts(rig.redis)).get('evalsha')).toBeUndefined()
    await publisher.publish(facts.saleId, 1)
    expect((await commandCounts(rig.redis)).get('evalsha')).toBe(1)
  })

  it('is published again after an outage (I6)', async () => {
    const { saleId } = gateFactsOf()
    const publisher = redisSoldOutPublisher({ exec: () => Promise.reject(new Error('unavailable')) })
    for (const _ of [1, 2]) await expect(publisher.publish(saleId, 0)).rejects.toThrow()
  })
})
