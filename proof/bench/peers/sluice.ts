/** Measures Sluice: the deployed bundles behind the front of a local system. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ShopperSession, sessionHeaders } from '../../../cli/control-client.ts'
import { startStep } from '../../../cli/progress.ts'
import type { Stack } from '../../../local/stack.ts'
import type { OpenSale } from '../../rush/open-sale.ts'
import { waitForRest } from '../../rush/wait-for-rest.ts'
import { postText } from '../load/http-text.ts'
import { acceptedOrders, openUnthrottledSale, signInAll, type UnthrottledSale, untilWritten } from '../own-system.ts'
import { readProcessorTime } from '../processor-time.ts'
import type { System } from '../system.ts'
import { losingClicksPerOrder, type MeasuredSystem, partTimeoutMs } from './measured-system.ts'

export type RunningSluice = { system: System; stack: Stack }

/** The interval of the tick in the cloud, ms. */
const tickMs = 1000

/**
 * Returns the measured system, which sells `orders` in a round. The losing shoppers sign in once and lose in every
 * round.
 */
export async function measuredSluice(name: string, running: RunningSluice, orders: number): Promise<MeasuredSystem> {
  const { system, stack } = running
  const { port } = stack
  const losers = await newShoppers(system, 'loser', losingClicksPerOrder * orders)
  let sale: UnthrottledSale | undefined
  let ticking: ReturnType<System['startTicking']> | undefined
  const offered = () => {
    if (sale === undefined) throw new Error('no sale was offered')
    return sale
  }
  const pause = async () => {
    const ended = ticking
    ticking = undefined
    await ended?.end()
  }
  return {
    name,
    writesOrders: true,
    async offer() {
      // New buyers for each round: the gate remembers tokens that it has verified.
      const buyers = await newShoppers(system, 'buyer', orders)
      const opened = await openUnthrottledSale(system, orders)
      sale = opened
      const clicksOf = (shoppers: ShopperSession[], expected: string) => ({
        ...{ port, expected },
        requests: shoppers.map((shopper) => postText(port, clickOf(port, opened, shopper))),
      })
      return { buys: clicksOf(buyers, '^202 '), losing: clicksOf(losers, '^410 .*"code":"sold-out"') }
    },
    untilWritten: () => untilWritten(offered(), orders, partTimeoutMs),
    async lastWrittenAt() {
      return Math.max(...(await acceptedOrders(system, offered(), orders)).map(({ writtenAt }) => writtenAt))
    },
    async untilSoldOut() {
      ticking = system.startTicking(tickMs)
      const [loser] = losers
      if (loser === undefined) throw new Error('no shopper is left who can lose')
      const { path, ...request } = clickOf(port, offered(), loser)
      for (const deadline = Date.now() + partTimeoutMs; Date.now() < deadline; await sleep(200)) {
        const answer = await fetch(`${system.url}${path}`, { method: 'POST', ...request })
        if (answer.headers.get('x-cache')?.startsWith('FunctionGenerated')) return
      }
      throw new Error(`${offered().saleId} is sold out, and the function before the gate does not answer so`)
    },
    pause,
    async recover() {
      await pause()
      const { control, saleId } = offered()
      await waitForRest(system, control, saleId, { settleMs: partTimeoutMs, startStep })
    },
    needsWarmUp: () => false,
    processorTime: async () => readProcessorTime(),
  }
}

function newShoppers(system: System, kind: string, count: number): Promise<ShopperSession[]> {
  const round = Date.now().toString(36)
  const names = Array.from({ length: count }, (_, number) => `${kind}-${number}-${round}`)
  return signInAll(system, names, startStep)
}

/** Returns the parts of a click; each shopper sends one. */
const clickOf = (port: number, { saleId, startToken }: OpenSale, session: ShopperSession) => ({
  path: `/api/sales/${saleId}/orders`,
  headers: {
    ...sessionHeaders(session),
    'content-type': 'application/json',
    'idempotency-key': 'bench',
    origin: `http://127.0.0.1:${port}`,
  },
  body: JSON.stringify({ quantity: 1, startToken }),
})
