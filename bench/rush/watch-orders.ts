/** Follows a sample of winners to their order, through the API that the order page uses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Line, memberOf } from './http.ts'

export type Seen = {
  /** From the 202 to the first answer that shows the written order. */
  delaysMs: number[]
  /** Orders that were not shown as written before patience ended. */
  unseen: string[]
}

const pollMs = 200

/** Watches every `every`th winner. Asking is load too, so only a sample is asked. */
export function watchOrders(
  line: Line,
  every: number,
  patienceMs: number,
): { won(orderId: string, token: string): void; finish(): Promise<Seen> } {
  const seen: Seen = { delaysMs: [], unseen: [] }
  const watches: Promise<void>[] = []
  let winners = 0

  const watch = async (orderId: string, token: string) => {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      const { reply } = await line.get(`/api/orders/${orderId}`, token)
      if (reply?.status === 200 && isWritten(reply.body)) {
        seen.delaysMs.push(performance.now() - from)
        return
      }
      await sleep(pollMs)
    }
    seen.unseen.push(orderId)
  }

  return {
    won(orderId, token) {
      if (winners % every === 0) watches.push(watch(orderId, token))
      winners += 1
    },
    async finish() {
      await Promise.all(watches)
      return seen
    },
  }
}

function isWritten(body: unknown): boolean {
  const status = memberOf(body, 'status')
  return typeof status === 'string' && status !== 'reserved'
}
