import type { Profiler } from 'node:inspector/promises'
import { describe, expect, it } from 'vitest'
import { divide } from '../../local/process/work-samples.ts'

const host = 'file:///shop/local/lambda/function-url.ts'
const bundle = 'file:///shop/dist/functions/reserve/handler.mjs'
const samples = 'file:///shop/local/process/work-samples.ts'
const undici = 'file:///shop/node_modules/undici/lib/dispatcher/client-h1.js'
const server = 'node:_http_server'

/** A profile in which each stack, the outermost file first, was seen for so many microseconds. */
function profileOf(seen: [us: number, ...stack: string[]][]): Profiler.Profile {
  const nodes: Profiler.ProfileNode[] = []
  const samples: number[] = []
  for (const [, ...stack] of seen) {
    for (const [depth, url] of stack.entries()) {
      const isLeaf = depth === stack.length - 1
      const callFrame = { functionName: url, scriptId: '', url, lineNumber: 0, columnNumber: 0 }
      nodes.push({ id: nodes.length + 1, callFrame, children: isLeaf ? [] : [nodes.length + 2] })
    }
    samples.push(nodes.length)
  }
  return { nodes, samples, timeDeltas: seen.map(([us]) => us), startTime: 0, endTime: 0 }
}

describe('work samples', () => {
  it('count deployed code that the emulation calls, and the calls that it makes, as deployed', () => {
    const seen = profileOf([
      [100, server, host, bundle, 'node:_http_client'],
      [40, server, host],
      [10, server],
    ])
    expect(divide(seen)).toEqual({ deployed: 100, emulated: 50, other: 0 })
  })

  it('count the HTTP calls of a host by their client: node:http is of the functions, undici of the emulation', () => {
    const seen = profileOf([
      [60, bundle],
      [20, host],
      [40, 'node:internal/process/task_queues', 'node:_http_client', 'node:net'],
      [30, 'node:internal/process/task_queues', undici, 'node:net'],
      [10, host, 'node:_http_client'],
    ])
    expect(divide(seen)).toEqual({ deployed: 100, emulated: 60, other: 0 })
  })

  it('leave the work of the sampler itself out', () => {
    const seen = profileOf([
      [50, bundle],
      [900, samples, 'node:inspector'],
    ])
    expect(divide(seen)).toEqual({ deployed: 50, emulated: 0, other: 0 })
  })

  it('count what a measurement does in the same process apart', () => {
    expect(divide(profileOf([[30, 'file:///shop/bench/path.ts', host]]))).toMatchObject({ other: 30 })
  })

  it('share what has no owner in proportion, and leave idle time out', () => {
    const seen = profileOf([
      [300, bundle],
      [100, host],
      [40, '(garbage collector)'],
      [1000, '(idle)'],
    ])
    expect(divide(seen)).toEqual({ deployed: expect.closeTo(330), emulated: expect.closeTo(110), other: 0 })
  })

  it('are nothing for a process that did nothing', () => {
    expect(divide(profileOf([[1000, '(idle)']]))).toEqual({ deployed: 0, emulated: 0, other: 0 })
  })
})
