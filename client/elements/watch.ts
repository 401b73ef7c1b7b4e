/** Reads a sale again and again while its element is on a page. */
import type { Connection, Seen } from '../connection.ts'
import { nextReadMs, opensAt } from './phase.ts'

export type Watch = { readonly seen: Seen | undefined; look(): void }

/** `onRead` is called after each read; `failure` is what was wrong with it. */
type Ports = {
  shop: Connection
  saleId: string
  signal: AbortSignal
  onRead: (failure: 'missing' | 'offline' | undefined) => void
}

/** Reads the sale again and again until `signal` is aborted; `look` reads it soon. */
export function watchSale({ shop, saleId, signal, onRead }: Ports): Watch {
  let seen: Seen | undefined
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
    const phase = seen?.pointer.phase ?? 'scheduled'
    const isArmed = seen?.countdown.startToken !== undefined
    const startsAt = seen === undefined ? now : opensAt(seen.pointer, now)
    return nextReadMs({ phase, isArmed, now, startsAt, isHidden: document.hidden, failures }, Math.random())
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
    look: () => setTimeout(() => wake(), 500 + 1500 * Math.random()),
  }
}
