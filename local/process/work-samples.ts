/**
 * Divides the processor time of this process between the deployed bundles and the emulation of the
 * cloud around them, by samples of what is running. Both share a process here, and their work is a
 * chain of callbacks that no pair of clock readings can enclose.
 */
import { type Profiler, Session } from 'node:inspector/promises'
import * as z from 'zod/mini'

/** Sampled microseconds. `other` is the measurement's own work in this process. */
export const workSamples = z.object({ deployed: z.number(), emulated: z.number(), other: z.number() })

export type WorkSamples = z.infer<typeof workSamples>

type Owner = keyof WorkSamples

/** A few seconds of work give a thousand samples. */
const intervalUs = 2000

/**
 * The files of each owner, the strictest first: the emulation calls the bundles, and both call
 * Node's own files. The bundles alone call other services through node:http, whose sockets are often
 * read and written without a file of ours on the stack; the emulation uses undici.
 */
const owners: [Owner | 'idle', RegExp][] = [
  ['idle', /^node:inspector/],
  ['deployed', /\/dist\/(?:edge|edge-missing|functions)\//],
  ['other', /\/(?:bench|cli|test)\//],
  ['emulated', /\/(?:local|node_modules)\/|^node:_http_server$/],
  ['deployed', /^node:_http_client$/],
]

/** Starts sampling this process. Call `stop` once, for the samples since then. */
export async function sampleWork(): Promise<{ stop(): Promise<WorkSamples> }> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: intervalUs })
  await session.post('Profiler.start')
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      return divide(profile)
    },
  }
}

/**
 * The time of each owner in `profile`, without the sampler's own. Samples without an owner (the
 * garbage collector, and sockets that Node reads before it calls a listener) are shared in
 * proportion to the rest.
 */
export function divide({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): WorkSamples {
  const ownerOf = new Map<number, Owner | 'idle' | undefined>()
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const judge = (leaf: number): Owner | 'idle' | undefined => {
    if (frames.get(leaf)?.functionName === '(idle)') return 'idle'
    const urls: string[] = []
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      urls.push(frames.get(id)?.url ?? '')
    }
    return owners.find(([, files]) => urls.some((url) => files.test(url)))?.[0]
  }
  for (const { id } of nodes) ownerOf.set(id, judge(id))

  const owned: WorkSamples = { deployed: 0, emulated: 0, other: 0 }
  let unowned = 0
  for (const [at, id] of samples.entries()) {
    const owner = ownerOf.get(id)
    const us = timeDeltas[at] ?? 0
    if (owner === undefined) unowned += us
    else if (owner !== 'idle') owned[owner] += us
  }
  const all = owned.deployed + owned.emulated + owned.other
  const share = all === 0 ? 1 : 1 + unowned / all
  return { deployed: owned.deployed * share, emulated: owned.emulated * share, other: owned.other * share }
}
