/** Opens the connections from the front to each function, and the faulty ones that replace them during an origin fault. */
import { type HttpFunction, httpFunctions, perHttpFunction } from '../../system/functions.ts'
import { startFaultProxy } from '../faults/fault-proxy.ts'
import { connectionFaultOf, type Fault, type FaultyConnection } from '../faults/faults.ts'
import { type Origin, openOrigin } from '../origin.ts'
import { everyHttpFunction } from '../resources.ts'

export type FunctionOrigins = {
  originOf(name: HttpFunction): Origin
  /** Applies faults with the target `origin`; null, or the end of the fault, restores the direct connection. */
  setFault(fault: Fault | null): Promise<void>
  stop(): Promise<void>
}

type Broken = { proxy: FaultyConnection; origin: Origin }

/**
 * `urls` are the function URLs, `reserveUrls` those of separate environments of `reserve`, if any. Proxies start with
 * the first fault, because they cost time on each request.
 */
export function openFunctionOrigins(
  urls: Record<HttpFunction, string>,
  reserveUrls: readonly string[],
): FunctionOrigins {
  const direct = perHttpFunction((name) =>
    name === 'reserve' && reserveUrls.length > 0 ? openOneAtATime(reserveUrls.map(openOrigin)) : openOrigin(urls[name]),
  )
  let broken: Record<HttpFunction, Broken> | undefined
  let brokenUntil = 0

  async function openBroken(): Promise<Record<HttpFunction, Broken>> {
    const open = async (name: HttpFunction): Promise<Broken> => {
      const proxy = await startFaultProxy({ targetPort: Number(new URL(urls[name]).port) })
      return { proxy, origin: openOrigin(`http://127.0.0.1:${proxy.port}`) }
    }
    return everyHttpFunction(open)
  }

  return {
    originOf: (name) => (broken !== undefined && Date.now() < brokenUntil ? broken[name].origin : direct[name]),
    async setFault(fault) {
      if (fault === null) {
        brokenUntil = 0
        for (const name of httpFunctions) broken?.[name].proxy.set(null)
      } else if (fault.target === 'origin') {
        const settings = connectionFaultOf(fault)
        broken ??= await openBroken()
        for (const name of httpFunctions) broken[name].proxy.set(settings)
        brokenUntil = settings === null ? 0 : Date.now() + (settings.forMs ?? Number.POSITIVE_INFINITY)
      }
    },
    async stop() {
      await Promise.all(httpFunctions.map((name) => direct[name].close()))
      if (broken === undefined) return
      await Promise.all(Object.values(broken).flatMap(({ proxy, origin }) => [origin.close(), proxy.stop()]))
    },
  }
}

/** Sends each request to an idle environment; while all are busy, requests wait in order. */
function openOneAtATime(environments: readonly Origin[]): Origin {
  const idle = [...environments]
  // A Set is ordered and removes its first member in constant time: a rush may leave a million waiting.
  const waiting = new Set<(environment: Origin) => void>()

  function next(): Origin | Promise<Origin> {
    return idle.pop() ?? new Promise((resolve) => waiting.add(resolve))
  }

  function release(environment: Origin): void {
    const [first] = waiting
    if (first === undefined) {
      idle.push(environment)
    } else {
      waiting.delete(first)
      first(environment)
    }
  }

  return {
    async send(request) {
      const environment = await next()
      try {
        return await environment.send(request)
      } finally {
        release(environment)
      }
    },
    async close() {
      await Promise.all(environments.map((one) => one.close()))
    },
  }
}
