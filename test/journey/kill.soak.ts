/** The whole system is killed in the middle of a rush and restarted with its data (I1, I2, I4). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openSystem } from '../../proof/bench/system.ts'
import { type StackProcess, startStackProcess } from './stack-process.ts'
import { type Answer, buy, buyWhenAdmitted, eventually, openSale, type Won, writtenOrder } from './support.ts'

const stock = 120
const shoppers = 400
const winsBeforeTheKill = 40
/** The visibility timeout of a message whose reader was killed; a minute, as in the cloud, is too long for a test. */
const visibilitySeconds = 2

let system: StackProcess | undefined
let dataDir: string | undefined
afterEach(async () => {
  await system?.kill9()
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true })
})

it('keeps every reservation and the exact stock over a kill -9 of every process (I1, I2, I4, P10)', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-'))
  system = await startStackProcess({ dataDir, visibilitySeconds })
  const { saleId, startToken } = await openSale(system, { stock })
  const first = system
  const tokens = await Promise.all(Array.from({ length: shoppers }, (_, i) => first.token(`shopper-${i}`)))
  const wantedBy = (i: number) => ({ token: tokens[i] ?? '', startToken, key: 'one' })

  const won = new Map<number, string>()
  let killed: Promise<void> | undefined
  // One fewer than the stock, so that something is left however late the kill comes.
  await Promise.all(
    tokens.slice(0, stock - 1).map(async (_, i) => {
      const answer = await buy(first, saleId, wantedBy(i)).catch((): Answer<Won> | undefined => undefined)
      if (answer?.status !== 202) return
      won.set(i, answer.body.orderId)
      if (won.size >= winsBeforeTheKill) killed ??= first.kill9()
    }),
  )
  await killed
  expect(won.size).toBeGreaterThanOrEqual(winsBeforeTheKill)

  const again = await startStackProcess({ dataDir, visibilitySeconds })
  system = again
  const behind = await openSystem(again.url)
  await eventually(async () => {
    await behind.reconcile()
    return (await behind.stockSnapshot(saleId)).outbox === 0 ? true : undefined
  })
  for (const [i, orderId] of won) {
    const order = await writtenOrder(again, orderId, tokens[i] ?? '')
    expect(order, orderId).toMatchObject({ orderId, status: 'awaiting-payment', quantity: 1 })
  }

  // All shoppers repeat their requests: winners get the same answer, and the rest is sold.
  const ask = (i: number) =>
    eventually(async () => {
      const { status, body } = await buyWhenAdmitted(again, saleId, wantedBy(i))
      return status >= 500 ? undefined : body
    })
  for (const [i, orderId] of won) {
    expect(await ask(i), `what shopper ${i} gets the same order again`).toMatchObject({ orderId })
  }
  await Promise.all(tokens.map((_, i) => ask(i)))
  const orders = await eventually(async () => {
    const written = await behind.orders(saleId)
    return written.length === stock ? written : undefined
  })
  const snapshot = await eventually(async () => {
    const found = await behind.stockSnapshot(saleId)
    return found.outbox === 0 ? found : undefined
  })
  behind.close()
  expect(snapshot).toMatchObject({ total: stock, booked: stock })
  const ids = (list: readonly { orderId: string }[]) => list.map(({ orderId }) => orderId).sort()
  expect(ids(snapshot.holds)).toEqual(ids(orders))
  expect(new Set(orders.map(({ shopperId }) => shopperId)).size).toBe(stock)
})
