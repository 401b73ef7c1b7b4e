/** Sluice in the comparison with other projects: the deployed bundles behind the front of a local system. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ShopperSession, sessionHeaders } from '../../../cli/control-client.ts'
import { startStep } from '../../../cli/progress.ts'
import type { Stack } from '../../../local/stack.ts'
import type { OpenSale } from '../../rush/open-sale.ts'
import { waitForOrders } from '../../rush/wait-for-rest.ts'
import { allOrders, openForAll, type SaleForAll, signInAll, untilWritten } from '../own-system.ts'
import { readProcessorTime } from '../processor-time.ts'
import type { System } from '../system.ts'
import { postText } from './http-text.ts'
import { losersPerOrder, type MeasuredSystem, partWithinMs } from './measured-system.ts'

/** As `reconcile` is scheduled in the cloud. */
const tickMs = 1000

export type RunningSluice = { system: System; stack: Stack }

/** Sells `orders` in a round. The losing shoppers sign in here, and lose in every round. */
export async function measuredSluice(
  name: string,
  { system, stack }: RunningSluice,
  orders: number,
): Promise<MeasuredSystem> {
  const sessions = await signInAll(system, namesOf('loser', losersPerOrder * orders), startStep)
  let sale: SaleForAll | undefined
  let ticking: ReturnType<System['keepTicking']> | undefined
  const offered = () => {
    if (sale === undefined) throw new Error('no sale was offered')
    return sale
  }
  const ask = (session: ShopperSession) => clickText(stack.port, offered(), session)
  const rest = async () => {
    const ended = ticking
    ticking = undefined
    await ended?.end()
  }
  return {
    name,
    ownParts: [],
    writesOrders: true,
    async offer() {
      // The gate has seen no token before: it remembers those that it has verified.
      const buying = await signInAll(system, namesOf('buyer', orders), startStep)
      sale = await openForAll(system, orders)
      const { port } = stack
      return {
        buys: { port, requests: buying.map(ask), wanted: '^202 ' },
        losing: { port, requests: sessions.map(ask), wanted: '^410 .*"code":"sold-out"' },
      }
    },
    untilWritten: () => untilWritten(offered(), orders, partWithinMs),
    async lastWrittenAt() {
      return Math.max(...(await allOrders(system, offered(), orders)).map(({ writtenAt }) => writtenAt))
    },
    async untilSoldOut() {
      ticking = system.keepTicking(tickMs)
      const [session] = sessions
      if (session === undefined) throw new Error('no shopper is left who can lose')
      const { saleId, startToken } = offered()
      const [headers, body] = [headersOf(stack.port, session), bodyOf(startToken)]
      for (const deadline = Date.now() + partWithinMs; Date.now() < deadline; await sleep(200)) {
        const answer = await fetch(`${system.url}${pathOf(saleId)}`, { method: 'POST', headers, body })
        if (answer.headers.get('x-cache')?.startsWith('FunctionGenerated')) return
      }
      throw new Error(`${saleId} is sold out, and the function before the gate does not answer so`)
    },
    rest,
    async recover() {
      await rest()
      const { control, saleId } = offered()
      await waitForOrders(system, control, saleId, { settleMs: partWithinMs, startStep })
    },
    isYoung: () => false,
    processorTime: async () => readProcessorTime(),
    sampleWork: stack.sampleWork,
  }
}

function namesOf(kind: string, count: number): string[] {
  const round = Date.now().toString(36)
  return Array.from({ length: count }, (_, number) => `${kind}-${number}-${round}`)
}

const pathOf = (saleId: string) => `/api/sales/${saleId}/orders`

const bodyOf = (startToken: string) => JSON.stringify({ quantity: 1, startToken })

const headersOf = (port: number, session: ShopperSession) => ({
  ...sessionHeaders(session),
  'content-type': 'application/json',
  'idempotency-key': 'peers',
  origin: `http://127.0.0.1:${port}`,
})

function clickText(port: number, { saleId, startToken }: OpenSale, session: ShopperSession): string {
  return postText(port, { path: pathOf(saleId), headers: headersOf(port, session), body: bodyOf(startToken) })
}
