/** Visits of the CloudFront Function before the gate, as the build generates it. */
import { expect } from 'vitest'
import { dist } from '../../build.ts'
import { functionAnswer } from '../../local/cdn/cloudfront-functions.ts'
import type { EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { loadViewerFunction, viewerEvent } from '../../local/cdn/viewer-function.ts'

export type Ask = { method?: string; uri: string; headers?: Record<string, string | string[]> }

/** `now` is the clock of the function, epoch ms. */
export async function openPreGate(store: EdgeLocation, now?: () => number) {
  const run = await loadViewerFunction(`${dist}/edge/pre-gate.js`, store, now)

  /** The function's own answer to a viewer's request; undefined when the request passes. */
  async function visit({ method = 'GET', uri, headers = {} }: Ask) {
    const rawHeaders = Object.entries(headers).flatMap(([name, given]) =>
      [given].flat().flatMap((value) => [name, value]),
    )
    const viewer = { ip: '203.0.113.7', method, url: '', rawHeaders }
    const event = viewerEvent(viewer)
    // The path alone, in any form: the function never sees a query there.
    event.request.uri = uri
    const returned = await run(event)
    if (returned !== event.request) return functionAnswer.parse(returned)
    // A request that passes must be unchanged.
    const { request } = viewerEvent(viewer)
    expect([event.request.method, event.request.uri]).toEqual([method, uri])
    expect(event.request.headers).toEqual(request.headers)
    return undefined
  }

  /** The refusal, in the form in which the gate's are compared; undefined when the request passes. */
  async function refusal(ask: Ask) {
    const answer = await visit(ask)
    if (answer === undefined) return undefined
    const { statusCode, headers, body } = answer
    const document: Record<string, unknown> = JSON.parse(body?.data ?? '')
    return {
      status: statusCode,
      headers: Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value])),
      body: document,
      code: document.code,
    }
  }

  return { visit, refusal }
}
