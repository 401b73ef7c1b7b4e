import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GateTerms, raiseRestocked, raiseSoldOut, readGate, setGate } from '../../redis/gate.ts'
import { gateKey } from '../../redis/keys.ts'
import { aSale, commandCounts, type RedisRig, raw, startRedisRig, tokenOf } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

const termsOf = (changes: Partial<GateTerms> = {}): GateTerms => ({
  saleId: aSale().saleId,
  flag: 'on',
  epoch: 1,
  startToken: tokenOf(1),
  startsAt: 1_000,
  endsAt: 9_000,
  version: 3,
  throttleLimit: 5,
  throttleWindowSeconds: 60,
  ...changes,
})

const soldOut = async ({ saleId }: GateTerms) => (await readGate(rig.redis, saleId))?.soldOut

describe('the gate’s facts', () => {
  it('are read back as published, in one command (G3)', async () => {
    const terms = termsOf()
    await setGate(rig.redis, terms)
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    const { saleId, ...facts } = terms
    expect(await readGate(rig.redis, saleId)).toEqual({ ...facts, soldOut: false })
    expect((await commandCounts(rig.redis)).get('hmget')).toBe(1)
  })

  it('of a sale that never started carry no token (C6)', async () => {
    const terms = termsOf({ flag: 'off', epoch: 0, startToken: null })
    await setGate(rig.redis, terms)
    expect(await readGate(rig.redis, terms.saleId)).toMatchObject({ flag: 'off', startToken: null })
  })

  it('are unknown for a sale that was not published, also when it sold out before that (I6)', async () => {
    const terms = termsOf()
    expect(await readGate(rig.redis, terms.saleId)).toBeUndefined()
    await raiseSoldOut(rig.redis, terms.saleId, 0)
    expect(await readGate(rig.redis, terms.saleId)).toBeUndefined()
    await setGate(rig.redis, terms)
    expect(await soldOut(terms)).toBe(true)
  })

  it('are replaced by a newer version, repaired by the same, and kept against an older', async () => {
    const terms = termsOf()
    await setGate(rig.redis, terms)
    await setGate(rig.redis, { ...terms, version: 4, flag: 'paused' })
    await setGate(rig.redis, terms)
    expect(await readGate(rig.redis, terms.saleId)).toMatchObject({ version: 4, flag: 'paused' })
    await raw(rig.redis, 'HSET', gateKey(terms.saleId), 'flag', 'on')
    await setGate(rig.redis, { ...terms, version: 4, flag: 'paused' })
    expect(await readGate(rig.redis, terms.saleId)).toMatchObject({ version: 4, flag: 'paused' })
  })
})

describe('sold out at the gate', () => {
  it('lasts until a later revision of the stock is on the shelf (G4, G7)', async () => {
    const terms = termsOf()
    await setGate(rig.redis, terms)
    await raiseSoldOut(rig.redis, terms.saleId, 0)
    expect(await soldOut(terms)).toBe(true)
    await raiseRestocked(rig.redis, terms.saleId, 1)
    expect(await soldOut(terms)).toBe(false)
    await raiseSoldOut(rig.redis, terms.saleId, 1)
    expect(await soldOut(terms)).toBe(true)
  })

  it('is not brought back by old news, in whatever order it comes (I5)', async () => {
    const news = [
      (t: GateTerms) => raiseSoldOut(rig.redis, t.saleId, 0),
      (t: GateTerms) => raiseRestocked(rig.redis, t.saleId, 1),
      (t: GateTerms) => raiseRestocked(rig.redis, t.saleId, 2),
      (t: GateTerms) => raiseSoldOut(rig.redis, t.saleId, 1),
    ]
    for (const order of [news, news.toReversed(), [...news, ...news]]) {
      const terms = termsOf()
      await setGate(rig.redis, terms)
      for (const tell of order) await tell(terms)
      expect(await soldOut(terms)).toBe(false)
    }
  })

  it('survives a new version of the sale', async () => {
    const terms = termsOf()
    await setGate(rig.redis, terms)
    await raiseSoldOut(rig.redis, terms.saleId, 0)
    await setGate(rig.redis, { ...terms, version: 9 })
    expect(await soldOut(terms)).toBe(true)
  })
})
