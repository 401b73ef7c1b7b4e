/** Random turns that end before the sale does: a shopper whose turn comes later could never buy. */
import { expect, it } from 'vitest'
import { useWorld } from '../../world/world.ts'

const own = useWorld()

const second = 1000
const minute = 60 * second

/** A sale of that length, with what else defines it. */
const create = (ms: number, change: object) => {
  const startsAt = own.clock.now + minute
  return own.create({ saleId: 'mugs', startsAt, endsAt: startsAt + ms, ...change })
}

const refusal = (most: number) => ({
  status: 400,
  body: {
    code: 'invalid-request',
    field: 'spreadSeconds',
    detail: expect.stringContaining(`at most ${most}`),
  },
})

it.each([
  ['than the sale', minute, {}, 59],
  ['than what early access leaves', 3 * minute, { earlyAccess: { minutes: 2, minLevel: 3 } }, 59],
  ['than the part of a second that is left', minute + 1, {}, 60],
])('turns are refused that take longer %s', async (_, ms, change, most) => {
  expect(await create(ms, { ...change, spreadSeconds: most + 1 })).toMatchObject(refusal(most))
  expect(await create(ms, { ...change, spreadSeconds: most })).toMatchObject({ status: 201 })
})

it('turns are refused that take longer than the shortest window', async () => {
  const { now } = own.clock
  const windows = [10 * minute, minute].map((ms, nth) => {
    const startsAt = now + (nth + 1) * 20 * minute
    return { startsAt, endsAt: startsAt + ms, stock: 5 }
  })
  const sale = { ...windows[0], windows, saleId: 'mugs' }
  expect(await own.create({ ...sale, spreadSeconds: 60 })).toMatchObject(refusal(59))
})

it('a sale cannot be made shorter than its turns', async () => {
  const { body } = await create(10 * minute, { spreadSeconds: 300 })
  const endsAt = Object(body).startsAt + 5 * minute
  const edit = (change: object) => own.ask('PATCH', '/sales/mugs', change)
  expect(await edit({ endsAt })).toMatchObject(refusal(299))
  expect(await edit({ endsAt, spreadSeconds: 200 })).toMatchObject({ status: 200 })
})
