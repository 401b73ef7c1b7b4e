/** What both emulated shops share: a server whose answers get lost, and a clock that runs faster. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A clock that runs `speed` times as fast since `startedAt`, the same in every process. */
export function fastClock(speed: number, startedAt: number) {
  return {
    now: () => startedAt + (Date.now() - startedAt) * speed,
    sleep: async (milliseconds: number) => void (await pause(milliseconds / speed)),
  }
}
export type FastClock = ReturnType<typeof fastClock>

export type Answer = { status: number; headers?: Record<string, string>; body: unknown }

/**
 * What happens to a request: it never arrives; its effect is there but the answer is lost; the connection ends and the
 * effect comes 20 s later, as when a proxy gives up; the shop is busy.
 */
const faults = ['never-arrives', 'answer-lost', 'late-effect', 'busy', 'slow'] as const
export type Fault = (typeof faults)[number] | undefined

export type FaultOf = (method: string, path: string) => Fault

/** Each of the faults for one request in 40. */
export function someFaults(random: () => number): FaultOf {
  return () => faults[Math.floor(random() * 40)]
}

/** Serves `handle` with faults. */
export async function serve(
  clock: FastClock,
  faultOf: FaultOf,
  busy: Answer,
  handle: (method: string, path: string, body: string, headers: IncomingMessage['headers']) => Answer,
) {
  const hurt: Record<string, number> = {}

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const fault = faultOf(method, url)
    if (fault) hurt[fault] = (hurt[fault] ?? 0) + 1
    if (fault === 'never-arrives') return void response.destroy()
    if (fault === 'slow') await clock.sleep(3000)
    if (fault === 'late-effect') {
      response.destroy()
      await clock.sleep(20_000)
    }
    const work = () => handle(method, url, Buffer.concat(chunks).toString(), headers)
    const { status, headers: more, body } = fault === 'busy' ? busy : work()
    if (fault === 'answer-lost') return void response.destroy()
    if (!response.destroyed) {
      response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(body))
    }
  }

  const server = createServer((request, response) => {
    // The client that was killed in the middle of its request is one of the plays.
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hurt,
    close: () => void server.close().closeAllConnections(),
  }
}
