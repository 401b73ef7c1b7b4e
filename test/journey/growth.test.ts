/**
 * A shop that starts with one database and later gets another: the sales that it has stay where they were warmed and
 * sell on, and new sales go to the new database (docs/how-to/deploy.md, "A small shop").
 */
import { afterAll, expect, it } from 'vitest'
import type { DatabaseList } from '../../core/api/control-answers.ts'
import type { Stack } from '../../local/stack.ts'
import { startDescribedStack } from '../described-stack.ts'
import { ownFolder } from './own-stack.ts'
import { buyWhenAdmitted, control, openSale, startTokenOf, writtenOrder } from './support.ts'

const dataDir = await ownFolder()
let stack: Stack | undefined
const startWith = async (databases: number): Promise<Stack> => {
  await stack?.stop()
  stack = await startDescribedStack({ demo: false, scheduled: false, dataDir, databases })
  return stack
}
afterAll(() => stack?.stop())

async function placedIn(shop: Stack): Promise<Record<string, string[]>> {
  const { databases } = await control<DatabaseList>(shop, '/databases')
  return Object.fromEntries(databases.map(({ name, sales }) => [name, sales.map(({ sale }) => sale.saleId)]))
}

it('a shop that gets a second database keeps its sales, their units and their orders', async () => {
  const one = await startWith(1)
  const first = await openSale(one, { stock: 3 })
  const ann = await one.token('ann')
  const won = await buyWhenAdmitted(one, first.saleId, { token: ann, startToken: first.startToken })
  await writtenOrder(one, won.body.orderId, ann)
  expect(await placedIn(one)).toEqual({ main: [first.saleId] })

  const two = await startWith(2)
  await two.runSchedule('reconcile')
  expect(await placedIn(two), 'the sale stays where it was warmed').toEqual({ main: [first.saleId], 'db-2': [] })
  const [annAgain, bob] = [await two.token('ann'), await two.token('bob')]
  expect(await writtenOrder(two, won.body.orderId, annAgain)).toBeDefined()
  const startToken = await startTokenOf(two, first.saleId)
  const next = await buyWhenAdmitted(two, first.saleId, { token: bob, startToken })
  expect(next.status).toBe(202)
  await writtenOrder(two, next.body.orderId, bob)
  const { stock } = await control<{ stock: object }>(two, `/sales/${first.saleId}/live`)
  expect(stock).toMatchObject({ total: 3, booked: 2, available: 1 })

  const second = await openSale(two, { stock: 3 })
  expect(await placedIn(two)).toEqual({ main: [first.saleId], 'db-2': [second.saleId] })
})
