import { beforeEach, describe, expect, it } from 'vitest'
import { buildSaleFilter, openSaleFilter } from '../../../core/gate/sale-filter.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import {
  listSale,
  publishFilter,
  readFilter,
  readListVersions,
  readSales,
  setBlocked,
} from '../../../redis/gate/shared-lists.ts'
import { sharedListKeys } from '../../../redis/keys.ts'
import { filterKey } from '../../edge/support.ts'
import { commandCounts, raw, saleIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()
beforeEach(() => raw(rig.redis, 'DEL', ...Object.values(sharedListKeys)))

const now = 1_800_000_000_000
const block = (field: string, blocked: boolean, at = now) => setBlocked(rig.redis, field, blocked, at)
const list = (name: string, listed: boolean, at = now) => listSale(rig.redis, saleIdOf(name), listed, at)
const versions = () => readListVersions(rig.redis)

describe('the versions (R8, B4)', () => {
  it('are read in one command, and are 0 for a missing list', async () => {
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    expect(await versions()).toEqual({ blocklist: 0, sales: 0, filter: 0, passKeys: '', customers: '' })
    expect((await commandCounts(rig.redis)).get('hmget')).toBe(1)
  })

  it('never repeat: each is later than the one before, than the clock, and than any before a loss', async () => {
    await block('shopper ann', true)
    await block('shopper bob', true, now - 5000)
    expect(await versions()).toMatchObject({ blocklist: now + 1 })
    await raw(rig.redis, 'DEL', ...Object.values(sharedListKeys))
    await block('shopper ann', true, now + 2)
    expect(await versions()).toMatchObject({ blocklist: now + 2 })
  })
})

it('the block list (R8) changes once for a repeated entry, and keeps its first time', async () => {
  await block('shopper ann', true)
  const before = await versions()
  await block('shopper ann', true, now + 9000)
  await block('shopper bob', false, now + 9000)
  expect(await versions()).toEqual(before)
  expect(await raw(rig.redis, 'HGET', sharedListKeys.blocklist, 'shopper ann')).toBe(String(now))
})

describe('the list of sales (B4)', () => {
  it('has the listed sales without the removed ones, with its list version', async () => {
    expect(await list('mug', true)).toMatchObject({ isChanged: true, listVersion: now })
    await list('cup', true)
    await list('mug', false)
    expect(await list('cup', true, now + 9000)).toMatchObject({ isChanged: false, listVersion: now + 2 })
    expect(await readSales(rig.redis)).toEqual({ listVersion: now + 2, saleIds: ['cup'] })
  })

  it('with an invalid sale id is a fault', async () => {
    await raw(rig.redis, 'SADD', sharedListKeys.sales, 'No Sale')
    await expect(readSales(rig.redis)).rejects.toThrow(UnexpectedReply)
  })
})

describe('the filter (B4)', () => {
  const publish = async (at = now) => {
    const { listVersion, saleIds } = await readSales(rig.redis)
    return publishFilter(rig.redis, buildSaleFilter(saleIds, filterKey), listVersion, at)
  }

  it('comes back byte for byte', async () => {
    const bytes = new Uint8Array(1000).map((_, at) => at)
    expect(await readFilter(rig.redis)).toBeUndefined()
    await publishFilter(rig.redis, bytes, 0, now)
    expect(new Uint8Array((await readFilter(rig.redis)) ?? [])).toEqual(bytes)
  })

  it('is stored only for the current list, so that it misses no listed sale', async () => {
    await list('mug', true)
    const old = await readSales(rig.redis)
    await list('cup', true)
    const filter = buildSaleFilter(old.saleIds, filterKey)
    expect(await publishFilter(rig.redis, filter, old.listVersion, now)).toBe('moved')
    expect(await readFilter(rig.redis)).toBeUndefined()
    expect(await publish()).toBe('published')
    const opened = openSaleFilter((await readFilter(rig.redis)) ?? new Uint8Array())
    expect(['mug', 'cup', 'pen'].map((id) => opened?.mayHold(id))).toEqual([true, true, false])
  })

  it('is up to date exactly while its list version has reached that of the sales, independent of clocks', async () => {
    const isUpToDate = async () => {
      const { sales, filter } = await versions()
      return filter >= sales
    }
    await list('mug', true, now + 5000)
    expect(await isUpToDate()).toBe(false)
    expect(await publish(now)).toBe('published')
    expect(await isUpToDate()).toBe(true)
    await list('cup', true, now - 5000)
    expect(await isUpToDate()).toBe(false)
    expect(await publish(now - 9000)).toBe('published')
    expect(await isUpToDate()).toBe(true)
    const before = await versions()
    await publish(now - 9000)
    expect((await versions()).filter).toBeGreaterThan(before.filter)
  })
})
