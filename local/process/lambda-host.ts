/** Shared by the processes that run Lambda functions: loads bundles, counts invocations, and stops cleanly. */
import dns from 'node:dns'
import { type FunctionName, functionTimeoutSeconds } from '../../system/functions.ts'
import { type LoadedFunction, loadFunction } from '../lambda/invoke.ts'
import { loopback } from '../ports.ts'
import { openInspector } from './inspector.ts'
import { serveParent } from './rpc.ts'

type Stoppable = { stop(): Promise<void> }

export type LoadFunction = (name: FunctionName) => Promise<LoadedFunction>

/** The environment variable with a module whose `wrapLoad` wraps the functions, to observe them. */
export const wrapperVariable = 'SLUICE_WRAP_FUNCTIONS'

async function wrapped(load: LoadFunction): Promise<LoadFunction> {
  const file = process.env[wrapperVariable]
  if (file === undefined) return load
  const { wrapLoad }: { wrapLoad: (load: LoadFunction) => LoadFunction } = await import(file)
  return wrapLoad(load)
}

export type LambdaHost = {
  /**
   * Sets the functions' environment in this process, and returns a function that loads them by name. It opens the inspector
   * before it loads the function `inspected`.
   */
  prepare(settings: { dist: string; environment: Record<string, string>; inspected?: string | undefined }): LoadFunction
  /** Registers a part to be stopped when the process ends. */
  stopLater<T extends Stoppable>(part: T): T
  report(failure: unknown): void
}

/** Serves `methods` and a count of invocations to the main process. */
export function startLambdaHost(methods: Record<string, (params: unknown) => Promise<unknown>>): LambdaHost {
  const loaded: LoadedFunction[] = []
  const started: Stoppable[] = []

  const countInvocations = async (): Promise<Record<string, number>> =>
    Object.fromEntries(loaded.map(({ name, invocations }) => [name, invocations]))
  const leave = async () => {
    await Promise.all(started.map((part) => part.stop()))
  }
  resolveLocalhostNames()
  serveParent({ ...methods, countInvocations }, leave)

  return {
    prepare({ dist, environment, inspected }) {
      Object.assign(process.env, environment)
      const bundle = (name: FunctionName) => loadFunction(dist, name, functionTimeoutSeconds(name) * 1000)
      const load = wrapped(bundle)
      return async (name) => {
        if (name === inspected) openInspector(`${dist}/functions/${name}`)
        const fn = await (await load)(name)
        loaded.push(fn)
        return fn
      }
    },
    stopLater(part) {
      started.push(part)
      return part
    },
    report: (failure) => console.error(failure),
  }
}

/**
 * Resolves every name under `localhost` to the loopback interface in this process, until the returned function is
 * called. RFC 6761, section 6.3, requires it, but not every system does it. The SDK's client of key-value stores puts
 * an account id in front of the endpoint's host name.
 */
export function resolveLocalhostNames(): () => void {
  const { lookup } = dns
  Object.assign(dns, {
    lookup(host: string, ...rest: unknown[]) {
      return Reflect.apply(lookup, dns, [host.endsWith('.localhost') ? loopback : host, ...rest])
    },
  })
  return () => {
    dns.lookup = lookup
  }
}
