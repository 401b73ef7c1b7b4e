/** Polls a sale while its element is on a page. */
import { isArmed, pagePhase, pageStart } from '../../core/sale/page-phase.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import type { Connection, SaleSnapshot } from '../connection.ts'

export type Watch = { readonly seen: SaleSnapshot | undefined; readSoon(): void }

/** `onRead` is called after each read. `missing`: the shop has no such sale. `offline`: there was no answer. */
type Ports = {
  shop: Connection
  saleId: string
  signal: AbortSignal
  onRead: (failure: 'missing' | 'offline' | undefined) => void
}

/** Polls the sale until `signal` is aborted. `readSoon` polls within two seconds. */
export function watchSale({ shop, saleId, signal, onRead }: Ports): Watch {
  let seen: SaleSnapshot | undefined
  let failures = 0
  let wake: () => void = () => undefined

  async function read(): Promise<'missing' | 'offline' | undefined> {
    const fresh = await shop.sale(saleId, signal, seen, 1)
    if ('kind' in fresh) {
      failures += 1
      return fresh.problem ? 'missing' : 'offline'
    }
    seen = fresh
    failures = 0
    return undefined
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      onRead(await read())
      await pause(waitMs())
    }
  }

  function waitMs(): number {
    const now = shop.now()
    const startsAt = seen === undefined ? now : pageStart(seen.pointer, now)
    const facts = {
      phase: seen && pagePhase(seen, now, seen.pointer.remaining),
      armed: isArmed(seen, startsAt),
      ...{ now, startsAt, failures },
      nextStartsAt: seen?.pointer.nextStartsAt ?? null,
      hidden: document.hidden,
    }
    return nextPollMs(facts, Math.random())
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const whenShown = () => document.hidden || wake()
  document.addEventListener('visibilitychange', whenShown, { signal })
  signal.addEventListener('abort', () => wake(), { once: true })
  run().catch((failure: unknown) => {
    if (!signal.aborted) throw failure
  })
  return {
    get seen() {
      return seen
    },
    readSoon: () => setTimeout(() => wake(), 500 + 1500 * Math.random()),
  }
}
