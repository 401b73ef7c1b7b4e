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
 * Node's own files.
 */
const owners: [Owner, RegExp][] = [
  ['deployed', /\/dist\/(?:edge|edge-missing|functions)\//],
  ['other', /\/(?:bench|cli|test)\//],
  ['emulated', /\/(?:local|node_modules)\/|^node:_http_server$/],
]

/**
 * Starts sampling this process. Call `stop` once, for the samples since then. `clientOwner` owns
 * what Node does for the HTTP calls that leave this process; undefined when both kinds make some.
 */
export async function sampleWork(clientOwner: Owner | undefined): Promise<{ stop(): Promise<WorkSamples> }> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: intervalUs })
  await session.post('Profiler.start')
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop')
      session.disconnect()
      return divide(profile, clientOwner)
    },
  }
}

/**
 * The time of each owner in `profile`. Samples without an owner (the garbage collector, and sockets
 * that Node reads before it calls anyone) are shared in proportion to the rest.
 */
export function divide(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  clientOwner?: Owner,
): WorkSamples {
  const ownerOf = new Map<number, Owner | 'idle' | undefined>()
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const judge = (leaf: number): Owner | 'idle' | undefined => {
    if (frames.get(leaf)?.functionName === '(idle)') return 'idle'
    const urls: string[] = []
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      urls.push(frames.get(id)?.url ?? '')
    }
    const owner = owners.find(([, files]) => urls.some((url) => files.test(url)))?.[0]
    return owner ?? (urls.includes('node:_http_client') ? clientOwner : undefined)
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
