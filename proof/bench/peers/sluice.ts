/** Sluice in the comparison with other projects: the deployed bundles behind the front of a local system. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startStep } from '../../../cli/progress.ts'
import { waitForOrders } from '../../rush/wait-for-rest.ts'
import { clickOf, clickText, newShoppers, offerToAll, type RunningSluice } from '../load/sluice-clicks.ts'
import { allOrders, type SaleForAll, untilWritten } from '../own-system.ts'
import { readProcessorTime } from '../processor-time.ts'
import type { System } from '../system.ts'
import { losersPerOrder, type MeasuredSystem, partWithinMs } from './measured-system.ts'

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
      const { buys, ...opened } = await offerToAll(running, orders)
      sale = opened.sale
      const requests = losers.map((loser) => clickText(port, opened.sale, loser))
      return { buys, losing: { port, requests, wanted: '^410 .*"code":"sold-out"' } }
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
