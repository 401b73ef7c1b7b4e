/** The crowd: everybody signs in first, then all of them come at once. */
import { signInAll } from '../sign-in.ts'
import type { System } from '../system.ts'
import type { Line } from './http.ts'
import type { OpenSale } from './open-sale.ts'
import type { RushOptions } from './options.ts'
import { type Ending, type Shopper, shop, type Try } from './shopper.ts'
import type { Promised } from './verdict.ts'
import { type Seen, watchOrders } from './watch-orders.ts'

/** Winners whose order is looked at through the shop's own API. */
const sampleSize = 50

/** Everybody has a token before the doors open. The order of arrival is shuffled by the seed. */
export async function signIn(
  system: System,
  { shoppers: count, startStep }: RushOptions,
  random: () => number,
): Promise<Shopper[]> {
  const names = Array.from({ length: count }, (_, i) => `shopper-${i}`)
  const tokens = await signInAll(system, names, startStep)
  const shoppers = tokens.map((token, i): Shopper => ({ shopperId: `shopper-${i}`, token, key: `rush-${i}` }))
  for (let i = shoppers.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [shoppers[i], shoppers[j]]
    if (a !== undefined && b !== undefined) [shoppers[i], shoppers[j]] = [b, a]
  }
  return shoppers
}

export type Crowd = {
  endings: Ending[]
  winners: Promised[]
  tries: Try[]
  seconds: number
  /** Resolves when every watched order was seen or its watcher lost patience. */
  watched: Promise<Seen>
}

/** Opens the doors to everybody at once and waits until each has an ending. */
export async function letIn(
  line: Line,
  readers: Line,
  { saleId, startToken }: OpenSale,
  shoppers: Shopper[],
  { quantity, patienceMs, settleMs, stock, startStep }: RushOptions,
  random: () => number,
): Promise<Crowd> {
  const path = `/api/sales/${saleId}/orders`
  const body = { quantity, startToken }
  const tries: Try[] = []
  const winners: Promised[] = []
  const expectedWinners = Math.min(
    shoppers.length,
    stock === -1 ? shoppers.length : Math.floor(stock / quantity),
  )
  const watch = watchOrders(readers, Math.max(1, Math.floor(expectedWinners / sampleSize)), settleMs)
  const step = startStep('clicking', shoppers.length)
  const from = performance.now()
  let done = 0
  const endings = await Promise.all(
    shoppers.map(async (shopper) => {
      const ending = await shop(shopper, {
        click: ({ token, key }) => line.post(path, token, body, key),
        onTry: (made) => tries.push(made),
        random,
        patienceMs,
      })
      if (ending.kind === 'won') {
        const { orderId, quantity: units } = ending
        winners.push({ shopperId: shopper.shopperId, orderId, quantity: units })
        watch.won(orderId, shopper.token)
      }
      done += 1
      step.to(done, `${winners.length} won`)
      return ending
    }),
  )
  const seconds = (performance.now() - from) / 1000
  step.end()
  return { endings, winners, tries, seconds, watched: watch.finish() }
}
