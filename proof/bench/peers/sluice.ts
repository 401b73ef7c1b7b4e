/** Sluice in the comparison with other projects: the deployed bundles behind the front of a local system. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ShopperSession, sessionHeaders } from '../../../cli/control-client.ts'
import { startStep } from '../../../cli/progress.ts'
import type { Stack } from '../../../local/stack.ts'
import type { OpenSale } from '../../rush/open-sale.ts'
import { waitForOrders } from '../../rush/wait-for-rest.ts'
import { postText } from '../load/http-text.ts'
import { allOrders, openForAll, type SaleForAll, signInAll, untilWritten } from '../own-system.ts'
import { readProcessorTime } from '../processor-time.ts'
import type { System } from '../system.ts'
import { losersPerOrder, type MeasuredSystem, partWithinMs } from './measured-system.ts'

export type RunningSluice = { system: System; stack: Stack }

/** As `reconcile` is scheduled in the cloud. */
const tickMs = 1000

/** Sells `orders` in a round. The losing shoppers sign in here, and lose in every round. */
export async function measuredSluice(name: string, running: RunningSluice, orders: number): Promise<MeasuredSystem> {
  const { system, stack } = running
  const { port } = stack
  const losers = await newShoppers(system, 'loser', losersPerOrder * orders)
  let sale: SaleForAll | undefined
  let ticking: ReturnType<System['keepTicking']> | undefined
  const offered = () => {
    if (sale === undefined) throw new Error('no sale was offered')
    return sale
  }
  const rest = async () => {
    const ended = ticking
    ticking = undefined
    await ended?.end()
  }
  return {
    name,
    writesOrders: true,
    async offer() {
      // The gate has seen no token before: it remembers those that it has verified.
      const buyers = await newShoppers(system, 'buyer', orders)
      const opened = await openForAll(system, orders)
      sale = opened
      const clicksOf = (shoppers: ShopperSession[], wanted: string) => ({
        ...{ port, wanted },
        requests: shoppers.map((shopper) => postText(port, clickOf(port, opened, shopper))),
      })
      return { buys: clicksOf(buyers, '^202 '), losing: clicksOf(losers, '^410 .*"code":"sold-out"') }
    },
    untilWritten: () => untilWritten(offered(), orders, partWithinMs),
    async lastWrittenAt() {
      return Math.max(...(await allOrders(system, offered(), orders)).map(({ writtenAt }) => writtenAt))
    },
    async untilSoldOut() {
      ticking = system.keepTicking(tickMs)
      const [loser] = losers
      if (loser === undefined) throw new Error('no shopper is left who can lose')
      const { path, ...request } = clickOf(port, offered(), loser)
      for (const deadline = Date.now() + partWithinMs; Date.now() < deadline; await sleep(200)) {
        const answer = await fetch(`${system.url}${path}`, { method: 'POST', ...request })
        if (answer.headers.get('x-cache')?.startsWith('FunctionGenerated')) return
      }
      throw new Error(`${offered().saleId} is sold out, and the function before the gate does not answer so`)
    },
    rest,
    async recover() {
      await rest()
      const { control, saleId } = offered()
      await waitForOrders(system, control, saleId, { settleMs: partWithinMs, startStep })
    },
    isYoung: () => false,
    processorTime: async () => readProcessorTime(),
  }
}

function newShoppers(system: System, kind: string, count: number): Promise<ShopperSession[]> {
  const round = Date.now().toString(36)
  const names = Array.from({ length: count }, (_, number) => `${kind}-${number}-${round}`)
  return signInAll(system, names, startStep)
}

/** The parts of a click, of which each shopper sends one. */
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
