/** Windows of a sale as a marketer defines and edits them (R7). */
import { describe, expect, it } from 'vitest'
import { maxStock } from '../../../core/sale/settings.ts'
import { advanceSale } from '../../../functions/sales/window-steps.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const hour = 3_600_000

const rig = useWorld()

const windows = (...stocks: number[]) =>
  stocks.map((stock, day) => {
    const startsAt = rig.clock.now + (1 + 24 * day) * hour
    return { startsAt, endsAt: startsAt + hour, stock }
  })
const create = (changes: object) => {
  const { startsAt, endsAt, stock, ...definition } = rig.definition()
  return rig.ask('POST', '/sales', { ...definition, ...changes })
}
/** Two windows of one hour each. */
const two = [
  { startsAt: Date.UTC(2026, 10, 21), endsAt: Date.UTC(2026, 10, 21, 1), stock: 10 },
  { startsAt: Date.UTC(2026, 10, 22), endsAt: Date.UTC(2026, 10, 22, 1), stock: 4 },
]
const edit = (changes: unknown) => rig.ask('PATCH', '/sales/phone', changes)

describe('a definition with windows', () => {
  it.each([
    ['startsAt', { startsAt: 5 }],
    ['endsAt', { endsAt: Date.UTC(2026, 11, 1) }],
    ['stock', { stock: 9 }],
    ['stock', { stock: -1 }],
  ])('that does not agree with itself is refused by its %s', async (field, changes) => {
    const answer = await create({ windows: two, ...changes })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(rig.audit()).toEqual([])
  })

  it('has no more units in all than one stock may hold', async () => {
    expect(await create({ windows: windows(maxStock, 1) })).toMatchObject({ status: 400, body: { field: 'windows' } })
  })
})

describe('an edit of windows', () => {
  it('moves the sale to the times of its first one, as long as it was not started', async () => {
    await create({ windows: windows(10, 4) })
    const later = windows(7, 3, 2).map((saleWindow) => ({ ...saleWindow, endsAt: saleWindow.endsAt + 60_000 }))
    const [first] = later
    expect(await edit({ windows: later })).toMatchObject({ status: 200, body: { ...first, windows: later } })
    expect(await edit({ title: 'New' })).toMatchObject({ status: 200, body: { title: 'New' } })
  })

  it('keeps times and units equal to those of the first, and does not change warmed units', async () => {
    await create({ windows: windows(10, 4) })
    expect(await edit({ startsAt: 5 })).toMatchObject({ status: 400, body: { field: 'startsAt' } })
    expect(await edit({ windows: windows(7, 4), stock: 10 })).toMatchObject({ status: 400, body: { field: 'stock' } })
    await rig.act('warm')
    expect(await edit({ windows: windows(7, 4) })).toMatchObject({ status: 409, body: { field: 'stock' } })
    expect(await edit({ windows: windows(10, 5) })).toMatchObject({ status: 200 })
  })

  it('is rejected once the sale was started, and so is another end', async () => {
    await create({ windows: windows(10, 4) })
    await rig.act('start')
    expect(await edit({ windows: windows(10, 5) })).toMatchObject({ status: 409, body: { field: 'windows' } })
    expect(await edit({ endsAt: rig.clock.now + 99 * hour })).toMatchObject({ status: 409, body: { field: 'endsAt' } })
    expect(await edit({ title: 'New' })).toMatchObject({ status: 200, body: { title: 'New' } })
  })

  it('may remove the windows, or add some to a plain sale', async () => {
    await create({ windows: windows(10, 4) })
    expect(await edit({ windows: [] })).toMatchObject({ status: 200, body: { windows: [], stock: 10 } })
    expect(await edit({ windows: windows(3, 3) })).toMatchObject({ status: 200, body: { stock: 3 } })
  })

  it('is rejected when the first window passed without a start, and the sale can still be started', async () => {
    await create({ windows: windows(10, 4) })
    await rig.act('warm')
    rig.clock.now += 3 * hour
    expect(await rig.live()).toMatchObject({ phase: 'scheduled' })
    await advanceSale(rig.ports, { who: 'reconcile', requestId: 'request-1' }, phone)
    expect(await edit({ windows: windows(10, 5) })).toMatchObject({ status: 409, body: { field: 'windows' } })
    expect(await rig.act('start')).toMatchObject({ status: 200, body: { flag: 'on' } })
  })
})
