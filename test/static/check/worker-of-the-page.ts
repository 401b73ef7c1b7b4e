/** A browser's worker for tests: runs the script that the page gives its workers, in a world with nothing of the page. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'

const script = readFileSync(
  fileURLToPath(new URL('../../../node_modules/altcha/dist/workers/pbkdf2.js', import.meta.url)),
  'utf8',
)

/** Opens workers like `new Worker(…)`, whose script `loads` or does not, and counts those that still run. */
export function workshop({ loads = true } = {}) {
  let running = 0
  class PageWorker extends EventTarget {
    readonly #self: { onmessage?: (message: { data: unknown }) => void; postMessage(data: unknown): void }
    #ended = false
    readonly onmessage = null
    readonly onmessageerror = null
    readonly onerror = null

    constructor() {
      super()
      running += 1
      this.#self = {
        postMessage: (data) => {
          if (!this.#ended) this.dispatchEvent(new MessageEvent('message', { data }))
        },
      }
      const world = { self: this.#self, crypto, performance, setTimeout, TextEncoder, AbortController }
      runInContext(script, createContext(world))
    }

    postMessage(data: unknown): void {
      queueMicrotask(() => {
        if (loads) this.#self.onmessage?.({ data: structuredClone(data) })
        else this.dispatchEvent(new Event('error'))
      })
    }

    terminate(): void {
      if (!this.#ended) running -= 1
      this.#ended = true
    }
  }
  return { open: (): Worker => new PageWorker(), running: () => running }
}
