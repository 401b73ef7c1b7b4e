/** The deployed clock of the pointer (`edge/clock.js`), which sees every answer to a viewer. */
import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { headerKind } from './headers.ts'
import { loadViewerFunction, viewerEvent } from './viewer-function.ts'

/** `headers` are pairs of name and value. */
type ViewerAnswer = { status: number; headers: string[] }

/** The headers that the viewer gets, as pairs of name and value. */
export type ClockFunction = (request: IncomingMessage, answer: ViewerAnswer) => string[]

const result = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.object({ value: z.string() })),
})

/** The function in `dist/edge/clock.js`. It throws for a result that CloudFront would reject. */
export async function loadClock(dist: string): Promise<ClockFunction> {
  const run = await loadViewerFunction(`${dist}/edge/clock.js`)
  return ({ method = 'GET', url = '/', rawHeaders, socket }, { status, headers }) => {
    const event = viewerEvent({ ip: socket.remoteAddress ?? '', method, url, rawHeaders })
    const context = { ...event.context, eventType: 'viewer-response' as const }
    const response = { statusCode: status, headers: valuesOf(headers) }
    const returned = result.parse(run(Object.assign(event, { context, response })))
    return Object.entries(returned.headers).flatMap(([name, { value }]) => {
      const isGiven = valuesOf(headers)[name]?.value === value
      if (!isGiven && headerKind(name).kind !== 'open') throw new Error(`the clock answered with the header ${name}`)
      return [name, value]
    })
  }
}

function valuesOf(headers: readonly string[]): Record<string, { value: string }> {
  const values: Record<string, { value: string }> = {}
  for (let i = 0; i + 1 < headers.length; i += 2) values[headers[i] ?? ''] = { value: headers[i + 1] ?? '' }
  return values
}
