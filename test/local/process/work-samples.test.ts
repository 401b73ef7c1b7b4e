import type { Profiler } from 'node:inspector/promises'
import { describe, expect, it } from 'vitest'
import { divide } from '../../../local/process/work-samples.ts'

const host = 'file:///shop/local/lambda/function-url.ts'
const bundle = 'file:///shop/dist/functions/reserve/handler.mjs'
const samples = 'file:///shop/local/process/work-samples.ts'
const undici = 'file:///shop/node_modules/undici/lib/dispatcher/client-h1.js'
const server = 'node:_http_server'

/** A profile in which each stack, the outermost file first, was seen so many times. */
function profileOf(seen: [times: number, ...stack: string[]][]): Profiler.Profile {
  const nodes: Profiler.ProfileNode[] = []
  const samples: number[] = []
  for (const [times, ...stack] of seen) {
    for (const [depth, url] of stack.entries()) {
      const isLeaf = depth === stack.length - 1
      const callFrame = { functionName: url, scriptId: '', url, lineNumber: 0, columnNumber: 0 }
      nodes.push({ id: nodes.length + 1, callFrame, children: isLeaf ? [] : [nodes.length + 2] })
    }
    samples.push(...Array<number>(times).fill(nodes.length))
  }
  return { nodes, samples, timeDeltas: samples.map(() => 200), startTime: 0, endTime: 0 }
}

describe('work samples', () => {
  it('count deployed code that the emulation calls, and the calls that it makes, as deployed', () => {
    const seen = profileOf([
      [100, server, host, bundle, 'node:_http_client'],
      [40, server, host],
      [10, server],
    ])
    expect(divide(seen)).toEqual({ deployed: { reserve: 100 }, emulated: 50, other: 0 })
  })

  it('count each bundle of a process by itself', () => {
    const seen = profileOf([
      [70, bundle],
      [20, 'file:///shop/dist/functions/orders/handler.mjs'],
      [5, 'file:///shop/dist/edge/handler.mjs?instance=1'],
    ])
    expect(divide(seen).deployed).toEqual({ reserve: 70, orders: 20, edge: 5 })
  })

  it('count HTTP calls by their client: those of node:http are of the bundles, those of undici of the emulation', () => {
    const seen = profileOf([
      [45, bundle],
      [15, 'file:///shop/dist/functions/orders/handler.mjs'],
      [20, host],
      [40, 'node:internal/process/task_queues', 'node:_http_client', 'node:net'],
      [30, 'node:internal/process/task_queues', undici, 'node:net'],
      [10, host, 'node:_http_client'],
    ])
    const deployed = { reserve: expect.closeTo(75), orders: expect.closeTo(25) }
    expect(divide(seen)).toEqual({ deployed, emulated: 60, other: 0 })
  })

  it('leave the work of the sampler itself out', () => {
    const seen = profileOf([
      [50, bundle],
      [900, samples, 'node:inspector'],
    ])
    expect(divide(seen)).toEqual({ deployed: { reserve: 50 }, emulated: 0, other: 0 })
  })

  it('count a moment in which another process ran once, however long it was', () => {
    const seen = profileOf([
      [50, bundle],
      [10, host],
    ])
    seen.timeDeltas?.splice(-1, 1, 1_000_000)
    expect(divide(seen)).toMatchObject({ deployed: { reserve: 50 }, emulated: 10 })
  })

  it('count what a measurement does in the same process apart', () => {
    expect(divide(profileOf([[30, 'file:///shop/proof/bench/path.ts', host]]))).toMatchObject({ other: 30 })
  })

  it('share what has no owner in proportion, and leave idle time out', () => {
    const seen = profileOf([
      [300, bundle],
      [100, host],
      [40, '(garbage collector)'],
      [1000, '(idle)'],
    ])
    const deployed = { reserve: expect.closeTo(330) }
    expect(divide(seen)).toEqual({ deployed, emulated: expect.closeTo(110), other: 0 })
  })

  it('are nothing for a process that did nothing', () => {
    expect(divide(profileOf([[1000, '(idle)']]))).toEqual({ deployed: {}, emulated: 0, other: 0 })
  })
})
