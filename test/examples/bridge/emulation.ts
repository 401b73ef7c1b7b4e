/** Shared by both emulated shops: a server whose answers get lost, and a clock that runs faster. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A clock that runs `speed` times as fast since `startedAt`, the same in every process. */
export function fastClock(speed: number, startedAt = Date.now()) {
  return {
    now: () => startedAt + (Date.now() - startedAt) * speed,
    sleep: async (milliseconds: number) => void (await pause(milliseconds / speed)),
  }
}
export type FastClock = ReturnType<typeof fastClock>

/** An order in a shop: its units by the number of the product. */
export type Made = { id: string; isEnded: boolean; amount: number; units: Record<string, number> }

/** Units of the products 1, 2 and 3. */
export const initialStock: readonly number[] = [2000, 1000, 1000]

export function sumUnits(lines: readonly (readonly [product: string, quantity: number])[]): Made['units'] {
  const units: Made['units'] = {}
  for (const [product, quantity] of lines) units[product] = (units[product] ?? 0) + quantity
  return units
}

export type Answer = { status: number; headers?: Record<string, string>; body: unknown }

/**
 * The fault of a request: it never arrives; it takes effect and the answer is lost; the connection ends and the effect
 * comes 20 s later, as when a proxy times out; the shop is busy or slow.
 */
const faults = ['answer-lost', 'late-effect', 'never-arrives', 'busy', 'slow'] as const
export type Fault = (typeof faults)[number]

export type FaultOf = (path: string, body: string) => Fault | undefined

/** Every third request about the stock has a fault, and every fifth other one; each kind in its turn. */
export function faultsOfEach(): FaultOf {
  const counts = { stock: 0, others: 0 }
  return (path, body) => {
    const [kind, every] = /inventory|products/.test(path + body) ? (['stock', 3] as const) : (['others', 5] as const)
    counts[kind] += 1
    return counts[kind] % every === 0 ? faults[(counts[kind] / every - 1) % faults.length] : undefined
  }
}

/** Serves `handle` with faults. */
export async function serve(
  clock: FastClock,
  faultOf: FaultOf,
  busy: Answer,
  handle: (method: string, path: string, body: string, headers: IncomingMessage['headers']) => Answer,
) {
  const hurt = new Set<Fault>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const fault = faultOf(url, body)
    if (fault) hurt.add(fault)
    if (fault === 'never-arrives') return void response.destroy()
    if (fault === 'slow') await clock.sleep(3000)
    if (fault === 'late-effect') {
      response.destroy()
      await clock.sleep(20_000)
    }
    const { status, headers: more, body: answered } = fault === 'busy' ? busy : handle(method, url, body, headers)
    if (fault === 'answer-lost') return void response.destroy()
    if (!response.destroyed) {
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(answered))
    }
  }

  const server = createServer((request, response) => {
    // The client that was killed in the middle of its request is one of the plays.
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, hurt, close: () => void server.close().closeAllConnections() }
}
