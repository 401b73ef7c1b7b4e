/** The gate: an origin-request event in; a refusal, or the request to forward, out, by the app of funnel.ts. */
import type { EdgeEvent } from './cloudfront.ts'
import { parseConfig, type RawConfig, rawConfig } from './config.ts'
import { createGateApp } from './funnel.ts'
import { createMemory, type Memory, type MemoryParts } from './memory/memory.ts'
import { problemCodeIn, unavailableResponse } from './problem-response.ts'
import { requestFor } from './stand-ins.ts'
import type { EdgeAnswer, GateExchange } from './typed-funnel.ts'

/** Distributions, or settings of one before and after a change, that an instance serves at the same time. */
const maxConfigs = 8

/**
 * The function that CloudFront calls. It always returns a promise, because Lambda ignores plain
 * values, and it never rejects: an error is logged and answered as `unavailable`.
 */
export function createGate(parts: MemoryParts): (event: EdgeEvent) => Promise<EdgeAnswer> {
  const app = createGateApp()
  /** The latest last. */
  const memories: { raw: RawConfig; memory: Memory | undefined }[] = []

  function memoryFor(raw: RawConfig): Memory | undefined {
    const seen = memories.find((known) => known.raw.every((value, index) => value === raw[index]))
    if (seen !== undefined) return seen.memory
    const memory = openMemory(raw, parts)
    memories.push({ raw, memory })
    if (memories.length > maxConfigs) memories.shift()
    return memory
  }

  return async (event) => {
    try {
      const cf = event.Records[0]?.cf
      if (cf === undefined) throw new TypeError('not a CloudFront event')
      const { request, config } = cf
      const arrival: GateExchange = {
        request,
        requestId: config.requestId,
        route: undefined,
        now: parts.clock(),
        loadMemory: () => memoryFor(rawConfig(cf)),
        asked: undefined,
        answer: undefined,
      }
      await app.fetch(requestFor(request.method), arrival)
      if (arrival.answer === undefined) throw new Error('no check has answered')
      countDemandOf(arrival, arrival.answer)
      return arrival.answer
    } catch (error) {
      parts.report('the gate failed', { error: error instanceof Error ? error.stack : String(error) })
      return unavailableResponse()
    }
  }
}

/** Counts what became of a request for units of a published sale. The function behind the gate counts what it decides. */
function countDemandOf({ route, asked }: GateExchange, answer: EdgeAnswer): void {
  if (asked === undefined || (route !== 'buy' && route !== 'claim')) return
  const { demand, saleId } = asked
  demand.count(saleId, 'status' in answer ? problemCodeIn(answer) : 'forwarded')
}

/** Undefined for a configuration with problems, which are reported once: it serves no request. */
function openMemory(raw: RawConfig, parts: MemoryParts): Memory | undefined {
  const parsed = parseConfig(raw)
  if (parsed.ok) return createMemory(parsed.config, parts)
  parts.report('the configuration of the gate is not usable', { problems: parsed.problems })
  return undefined
}
