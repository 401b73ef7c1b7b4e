/** The HTTP requests that this process sends while a test watches. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'

export type Outgoing = { url: string; body: string }

const created = 'http.client.request.created'

/** Collects every request into `sent`, with its body if that is written at once, until `stop`. */
export function watchOutgoing(): { sent: Outgoing[]; stop: () => void } {
  const sent: Outgoing[] = []
  const watch = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    const end = request.end.bind(request)
    request.end = (body?: unknown) => {
      sent.push({
        url: `${request.protocol}//${request.getHeader('host')}${request.path}`,
        body: String(body ?? ''),
      })
      return end(body)
    }
  }
  subscribe(created, watch)
  return { sent, stop: () => unsubscribe(created, watch) }
}
