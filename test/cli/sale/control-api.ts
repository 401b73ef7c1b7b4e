/** The sale command against a fake control API that records its requests. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach } from 'vitest'
import { runSaleCli } from '../../../cli/sale.ts'
import { nextHeader } from '../../../core/api/operation.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'

export const sale = aSale({
  ...{ saleId: saleIdOf('mugs'), title: 'Stoneware mug' },
  ...{ startsAt: 1_800_000_000_000, endsAt: 1_800_003_600_000 },
  ...{ flag: 'off', epoch: 0, startToken: null, warmed: false },
})

type Asked = {
  method: string
  path: string
  authorization: string | undefined
  key: string | string[] | undefined
  body: unknown
}
type Answer = { status: number; body: unknown; next?: string | undefined }

/** A new API for each test of a file; call it once, beside the tests. */
export function fakeControlApi() {
  const seen = {
    asked: [] as Asked[],
    lines: [] as string[],
    complaints: [] as string[],
    notes: [] as string[],
    /** The values of the progress bars. */
    bars: [] as string[],
    /** The fate of the next calls of the control API, in place of `answer`. */
    troubles: [] as (Answer | 'lost')[],
  }
  const answer: Answer = { status: 200, body: sale }
  /** Answers of their own, by the path below `/api/control`. */
  const pages: Record<string, Answer> = {}
  const api = { url: '', now: 0 }
  let server: Server

  beforeEach(async () => {
    for (const list of Object.values(seen)) list.length = 0
    Object.assign(answer, { status: 200, body: sale })
    for (const path of Object.keys(pages)) delete pages[path]
    api.now = 1_700_000_000_000
    server = createServer(async (request, response) => {
      const body = await text(request)
      const { method = '', url: path = '', headers } = request
      seen.asked.push({
        ...{ method, path, authorization: headers.authorization, key: headers['idempotency-key'] },
        body: body === '' ? null : JSON.parse(body),
      })
      const signIn = { status: 200, body: { token: 'local-token' } }
      const reply =
        path === '/local/sign-in'
          ? signIn
          : (seen.troubles.shift() ?? pages[path.slice('/api/control'.length)] ?? answer)
      if (reply === 'lost') {
        request.socket.destroy()
        return
      }
      const { next }: Answer = reply
      const more = next === undefined ? {} : { [nextHeader]: next }
      response.writeHead(reply.status, { 'content-type': 'application/json', ...more })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    api.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  afterEach(stop)

  /** A run with the given environment, and the local system there or not. */
  const runIn = (
    { at, url, token }: { url?: string; token?: string; at?: string },
    ...args: string[]
  ): Promise<number> =>
    runSaleCli(args, {
      print: (line) => seen.lines.push(line),
      printError: (line) => seen.complaints.push(line),
      note: (line) => seen.notes.push(line),
      startStep: (name, total) => ({
        to: (done) => void seen.bars.push(`${name} ${done}/${total}`),
        end: () => void seen.bars.push('ended'),
      }),
      now: () => api.now,
      environment: { url, token },
      running: async () => at,
    })

  return {
    ...seen,
    answer,
    pages,
    api,
    stop,
    runIn,
    run: (...args: string[]) => runIn({}, '--url', api.url, ...args),
    /** The output, row by row and column by column. */
    cells: () =>
      seen.lines
        .join('\n')
        .split('\n')
        .map((row) => row.split(/ {2,}/)),
    /** The calls of the control API, each with its method, path and body. */
    calls: () =>
      seen.asked
        .filter(({ path }) => path.startsWith('/api/control/'))
        .map(({ method, path, body }) => [method, path.slice('/api/control'.length), body]),
  }
}
