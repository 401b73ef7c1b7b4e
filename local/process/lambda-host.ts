/**
 * Shared by the processes that run Lambda functions: loading bundles, counting invocations, and a
 * clean end.
 */

import { type FunctionName, functionTimeoutSeconds } from '../../system/functions.ts'
import type { LoadedFunction } from '../lambda/invoke.ts'
import { loadFunction } from '../lambda/load.ts'
import { resolveLocalhostNames } from '../localhost-names.ts'
import { recording, recordVariable } from './recorded-calls.ts'
import { serveParent } from './rpc.ts'
import { sampleWork } from './work-samples.ts'

type Stoppable = { stop(): Promise<void> }

export type LambdaHost = {
  /** Sets the functions' environment in this process, and returns a loader of functions by name. */
  enter(dist: string, environment: Record<string, string>): (name: FunctionName) => Promise<LoadedFunction>
  /** Registers a part, to be stopped when the process ends. */
  keep<T extends Stoppable>(part: T): T
  report(failure: unknown): void
}

/** Serves `methods`, a count of invocations and samples of the work to the main process. */
export function startLambdaHost(methods: Record<string, (params: unknown) => Promise<unknown>>): LambdaHost {
  const loaded: LoadedFunction[] = []
  const started: Stoppable[] = []
  let sampling: ReturnType<typeof sampleWork> | undefined

  const countInvocations = async (): Promise<Record<string, number>> =>
    Object.fromEntries(loaded.map(({ name, invocations }) => [name, invocations]))
  const startSampling = async (): Promise<null> => {
    sampling = sampleWork()
    await sampling
    return null
  }
  const stopSampling = async () => (await sampling)?.stop()
  const leave = async () => {
    await Promise.all(started.map((part) => part.stop()))
  }
  resolveLocalhostNames()
  serveParent({ ...methods, countInvocations, startSampling, stopSampling }, leave)

  return {
    enter(dist, environment) {
      Object.assign(process.env, environment)
      const bundle = (name: FunctionName) => loadFunction(dist, name, functionTimeoutSeconds(name) * 1000)
      const folder = process.env[recordVariable]
      const load = folder === undefined ? bundle : recording(folder, bundle)
      return async (name) => {
        const fn = await load(name)
        loaded.push(fn)
        return fn
      }
    },
    keep(part) {
      started.push(part)
      return part
    },
    report: (failure) => console.error(failure),
  }
}
