/**
 * The local CloudFront: receives every browser request and passes it to the behaviour of its path. `/local/` and the
 * log-in of the local issuer are not part of the distribution and exist on this machine only.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { isLogInRequest } from '../issuer/routes.ts'
import { type Listening, listen } from '../listen.ts'
import { writeError } from './site.ts'

type Behaviours = {
  api: RequestListener
  site: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  local: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** Called before the request is answered. */
export type Observe = (request: IncomingMessage, response: ServerResponse) => void

export type Front = Listening & {
  /** Sets the behaviours; until then every request gets a 503. */
  open(behaviours: Behaviours): void
}

/** CloudFront's limits: the URL, and the headers including the URL. */
const urlLimit = 8192
const headerLimitBytes = 32_768

/**
 * Listens on the port (0 = any). `log` gets one line per failure of this project's code, and `observe` every request
 * that belongs to the distribution.
 * @throws PortTaken
 */
export async function startFront(port: number, log: (line: string) => void, observe?: Observe): Promise<Front> {
  let behaviours: Behaviours | undefined
  const server = createServer({ maxHeaderSize: headerLimitBytes }, (request, response) => {
    const url = request.url ?? '/'
    if (behaviours === undefined) return starting(response)
    if (url.length > urlLimit) return writeError(response, 414, 'The address is too long.')
    const isLocal = url.startsWith('/local/') || isLogInRequest(request.method, url)
    if (!isLocal) observe?.(request, response)
    if (url.startsWith('/api/')) return behaviours.api(request, response)
    const behaviour = isLocal ? behaviours.local : behaviours.site
    behaviour(request, response).catch((failure: unknown) => {
      log(failure instanceof Error ? (failure.stack ?? failure.message) : String(failure))
      if (response.headersSent) response.destroy()
      else writeError(response, 502, 'Not available right now.')
    })
  })
  server.keepAliveTimeout = 60_000
  const listening = await listen(server, port)
  return {
    ...listening,
    open: (ready) => {
      behaviours = ready
    },
  }
}

function starting(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end('{"ok":false,"starting":true}')
}
