/**
 * Divides the processor time of this process between the deployed bundles and the emulation of the
 * cloud around them, by samples of what is running. Both share a process here, and their work is a
 * chain of callbacks that no pair of clock readings can enclose.
 */
import { type Profiler, Session } from 'node:inspector/promises'
import * as z from 'zod/mini'

/**
 * Numbers of samples. `deployed` is by bundle, the folder of `dist/` that it is in. `other` is the
 * measurement's own work in this process.
 */
export const workSamples = z.object({
  deployed: z.record(z.string(), z.number()),
  emulated: z.number(),
  other: z.number(),
})

export type WorkSamples = z.infer<typeof workSamples>

/**
 * Samples are counted and their time is not, because a process that another one displaces would
 * keep the time until it runs again; it is often displaced where it writes to a socket, which wakes
 * the reader up. A short interval keeps one such sample small among the others.
 */
const intervalUs = 200

const bundleFile = /\/dist\/(?:functions\/([^/]+)|(edge(?:-missing)?))\//

function bundleOf(url: string): string | undefined {
  const found = bundleFile.exec(url)
  return found?.[1] ?? found?.[2]
}

/** A bundle's name, or one of these. `client` is the part of all bundles together. */
type Owner = string
const idle = '(idle)'
const client = '(client)'

/**
 * The files of each owner besides the bundles, which the emulation calls. The bundles alone call
 * other services through node:http, whose sockets are often read and written without a file of ours
 * on the stack; the emulation uses undici.
 */
const owners: [Owner, RegExp][] = [
  ['other', /\/(?:proof|cli|test)\//],
  ['emulated', /\/(?:local|node_modules)\/|^node:_http_server$/],
  [client, /^node:_http_client$/],
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

/** The samples of several processes together. */
export function addSamples(all: readonly WorkSamples[]): WorkSamples {
  const total: WorkSamples = { deployed: {}, emulated: 0, other: 0 }
  for (const { deployed, emulated, other } of all) {
    for (const [bundle, count] of Object.entries(deployed)) {
      total.deployed[bundle] = (total.deployed[bundle] ?? 0) + count
    }
    total.emulated += emulated
    total.other += other
  }
  return total
}

/**
 * The samples of each owner in `profile`, without the sampler's own. Samples without an owner (the
 * garbage collector, and sockets that Node reads before it calls a listener) are shared in
 * proportion to the rest.
 */
export function divide({ nodes, samples = [] }: Profiler.Profile): WorkSamples {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const judge = (leaf: number): Owner | undefined => {
    const urls: string[] = []
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      urls.push(frames.get(id)?.url ?? '')
    }
    if (frames.get(leaf)?.functionName === idle || urls.includes('node:inspector')) return idle
    return (
      urls.map(bundleOf).find((name) => name !== undefined) ??
      owners.find(([, files]) => urls.some((url) => files.test(url)))?.[0]
    )
  }
  const ownerOf = new Map(nodes.map(({ id }) => [id, judge(id)]))
  const counts = new Map<Owner, number>()
  let unassigned = 0
  for (const id of samples) {
    const owner = ownerOf.get(id)
    if (owner === undefined) unassigned += 1
    else if (owner !== idle) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  const take = (owner: Owner): number => {
    const count = counts.get(owner) ?? 0
    counts.delete(owner)
    return count
  }
  const [emulated, other, calls] = [take('emulated'), take('other'), take(client)]
  const ours = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const share = 1 + unassigned / (emulated + other + calls + ours || 1)
  const ownShare = share * (1 + calls / (ours || 1))
  return {
    deployed: Object.fromEntries([...counts].map(([bundle, count]) => [bundle, count * ownShare])),
    emulated: emulated * share,
    other: other * share,
  }
}
