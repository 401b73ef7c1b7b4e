/** A sale that draws, through the whole system in real time: entries at the gate, the list, the number, and who may buy. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { ownStack } from '../../../../test/journey/own-stack.ts'
import {
  buyWhenAdmitted,
  call,
  control,
  createSale,
  eventually,
  startTokenOf,
  waitUntil,
  writtenOrder,
} from '../../../../test/journey/support.ts'
import { runVerifyDraw } from '../../cli/verify-draw.program.ts'
import { verifyRound } from '../../core/beacon.ts'
import { earliestDrawStart } from '../../core/fields.ts'
import type { EntryView } from '../../core/operations.ts'

const stack = await ownStack({ challengeCost: 1 })

const names = ['ann', 'bob', 'cem', 'dan'].map((name) => `${name}-${randomUUID().slice(0, 8)}`)

/** The cookie of the latest offer of each shopper. */
const offers = new Map<string, string>()

async function entry(saleId: string, name: string, method = 'GET', body?: unknown) {
  const answer = await call<EntryView & { reason?: string; field?: string }>(stack, `/api/entries/${saleId}`, {
    ...{ method, token: await stack.token(name) },
    ...(body !== undefined && { body }),
  })
  const [cookie] = answer.headers.get('set-cookie')?.split(';') ?? []
  if (cookie !== undefined) offers.set(name, cookie)
  return answer
}

async function verified(saleId: string) {
  const lines: string[] = []
  const code = await runVerifyDraw([`${stack.url}/sales/${saleId}/draw/`], {
    print: (line) => lines.push(line),
    startStep: () => ({ to: () => undefined, end: () => undefined }),
    verifyRound,
  })
  return { code, text: lines.join('\n') }
}

/** A sale of one unit that draws it, for which shoppers can enter. */
async function openDraw() {
  const opensAt = Date.now()
  const draw = { opensAt, closesAt: opensAt + 45_000, commitSeconds: 60, claimSeconds: 3600 }
  const startsAt = earliestDrawStart(draw)
  const sale = { stock: 1, limitPerShopper: 1, maxPerOrder: 1, draw, startsAt, price: 0, endsAt: startsAt + 3_600_000 }
  const saleId = await createSale(stack, sale, 'warm', 'start')
  await eventually(async () => ((await entry(saleId, 'eve')).status === 200 ? true : undefined))
  return { saleId, draw, startsAt }
}

it('a sale draws its unit, sells it to the winner, and offers it to the next rank once it comes back', async () => {
  const { saleId, draw, startsAt } = await openDraw()
  for (const name of names) {
    const entered = await entry(saleId, name, 'PUT', {})
    expect(entered).toMatchObject({ status: 200, body: { state: 'entered' } })
    expect((await entry(saleId, name, 'PUT', {})).body.receipt).toBe(entered.body.receipt)
  }
  const [leaver = ''] = names.slice(-1)
  expect((await entry(saleId, leaver, 'DELETE')).body.state).toBe('left')
  expect(await entry(saleId, 'eve', 'PUT', { variant: 'red' })).toMatchObject({ status: 400 })
  expect((await call(stack, `/api/entries/${saleId}`)).status).toBe(401)

  await waitUntil(draw.closesAt)
  expect(await entry(saleId, 'eve', 'PUT', {})).toMatchObject({ status: 409, body: { reason: 'entries-closed' } })
  const entrants = names.slice(0, 3)
  const views = await eventually(async () => {
    const all = await Promise.all(entrants.map(async (name) => ({ name, ...(await entry(saleId, name)).body })))
    // Reads that began before the decision have no place, although one beside them already finds its offer.
    const isDecided = all.every(({ place }) => place !== undefined)
    return isDecided && all.some(({ offer }) => offer !== undefined) ? all : undefined
  })
  expect((await entry(saleId, leaver)).body).toMatchObject({ state: 'left' })
  const byRank = views.toSorted((a, b) => (a.place?.rank ?? 0) - (b.place?.rank ?? 0))
  expect(byRank.map(({ place }) => place)).toMatchObject([1, 2, 3].map((rank) => ({ rank, of: 3 })))
  expect(await verified(saleId)).toMatchObject({ code: 0 })

  await waitUntil(startsAt)
  const startToken = await startTokenOf(stack, saleId)
  const [winner = '', second = '', third = ''] = byRank.map(({ name }) => name)
  const buyAs = async (name: string) =>
    buyWhenAdmitted(stack, saleId, {
      ...{ token: await stack.token(name), startToken, key: randomUUID() },
      cookies: offers.get(name),
    })
  expect((await buyAs(third)).body.code).toBe('level-too-low')
  const won = await buyAs(winner)
  expect(won.status).toBe(202)
  await writtenOrder(stack, won.body.orderId, await stack.token(winner))
  await control(stack, `/sales/${saleId}/orders/${won.body.orderId}/cancel`, {}).catch(() =>
    control(stack, `/orders/${won.body.orderId}/refund`, {}),
  )
  await eventually(async () => (await entry(saleId, second)).body.offer)
  expect((await entry(saleId, winner)).body.offer).toBeUndefined()
  expect((await buyAs(winner)).body.code, 'with an offer that is over').toBe('level-too-low')
  // The gate may know for five seconds that the shopper was not on the list.
  const next = await eventually(async () => {
    const answer = await buyAs(second)
    return answer.status === 202 ? answer : undefined
  })
  await writtenOrder(stack, next.body.orderId, await stack.token(second))
  expect(await verified(saleId)).toMatchObject({ code: 0 })
})
