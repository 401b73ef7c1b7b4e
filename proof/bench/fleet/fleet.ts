/**
 * Runs many instances of the deployed gate in this process, each with its own memory like CloudFront's environments,
 * and drives them with CloudFront events. A request that an instance admits goes to the real function.
 */
import { dist } from '../../../build.ts'
import { functionOriginOf } from '../../../local/cdn/behaviours.ts'
import {
  headersOf,
  isResponse,
  type LoadedEdgeFunction,
  loadEdgeFile,
  originEvent,
} from '../../../local/cdn/edge-exchange.ts'
import { openEdgeClock } from '../../../local/cdn/edge-times.ts'
import type { EdgeSide } from '../../../local/stack.ts'

/** One request of a client. `address` is the client's IP address. */
export type FleetRequest = {
  method: 'GET' | 'POST'
  uri: string
  headers: Record<string, string>
  body: string
  address: string
}

/** `code` is the problem's code, or `reserved`, `repeat` and so on by the status of a success. */
export type FleetAnswer = { status: number; code: string; body: string; isForwarded: boolean }

export type Fleet = Awaited<ReturnType<typeof openFleet>>

/** Loads `instances` copies of the gate, by default of its bundle; `random` returns numbers in [0, 1). */
export async function openFleet(
  edge: EdgeSide,
  instances: number,
  random: () => number,
  file = `${dist}/edge/handler.mjs`,
) {
  const clock = openEdgeClock()
  const load = async () => clock.gate(await loadEdgeFile(file))
  const handlers = await Promise.all(Array.from({ length: instances }, load))
  const pick = () => handlers[Math.floor(random() * instances)] ?? firstOf(handlers)
  return {
    /** Returns the processor time of all instances so far. */
    time: () => clock.read().gate,
    /** Sends the request to an instance chosen by `random`. */
    async send(call: FleetRequest): Promise<FleetAnswer> {
      const result = await pick()(cloudFrontEvent(call, edge.settings))
      if (isResponse(result)) {
        const body = result.body ?? ''
        return fleetAnswer(Number(result.status), body, false)
      }
      const bytes = Buffer.from(call.body)
      const { status, body } = await edge.forward(result, functionOriginOf(call.uri), bytes)
      return fleetAnswer(status, body.toString(), true)
    },
  }
}

function firstOf(handlers: readonly LoadedEdgeFunction[]): LoadedEdgeFunction {
  const [first] = handlers
  if (first === undefined) throw new RangeError('a fleet has at least one instance')
  return first
}

const successCodes = new Map([
  [200, 'repeat'],
  [202, 'reserved'],
])

/** A regular expression instead of a JSON parser: `bench -- million` reads a million answers. */
const problemCode = /"code":"([a-z-]+)"/

function fleetAnswer(status: number, body: string, isForwarded: boolean): FleetAnswer {
  const code = successCodes.get(status) ?? problemCode.exec(body)?.[1] ?? `status-${status}`
  return { status, code, body, isForwarded }
}

/** Builds the CloudFront event of a request; `settings` are those of the gate. */
function cloudFrontEvent(
  { method, uri, headers, body, address: clientIp }: FleetRequest,
  settings: Record<string, string>,
) {
  return originEvent({ clientIp, headers: headersOf(headers), method, querystring: '', uri }, Buffer.from(body), {
    ...{ domainName: 'reserve.lambda-url.local', customHeaders: settings },
  })
}
