/** The deployed path function of the pages (`edge/site-paths.js`), and its results. */
import * as z from 'zod/mini'
import { headerKind } from './headers.ts'
import type { EdgeLocation } from './key-value-store.ts'
import { loadViewerFunction, settled, type Viewer, viewerEvent } from './viewer-function.ts'

/** An answer of the function itself; `headers` are pairs of name and value. */
export type SiteAnswer = { kind: 'answer'; status: number; headers: readonly string[]; body: string }

/** The result for a viewer's path: an object of the bucket, or an answer. */
export type SitePath = { kind: 'object'; uri: string } | SiteAnswer

const result = z.union([
  z.strictObject({
    statusCode: z.int().check(z.gte(200), z.lte(599)),
    statusDescription: z.string(),
    headers: z.record(z.string(), z.strictObject({ value: z.string() })),
    body: z.optional(z.strictObject({ encoding: z.literal('text'), data: z.string() })),
  }),
  z.object({ uri: z.string() }),
])

/** `url` is the viewer's raw path with its query. */
export type SiteFunction = (viewer: Viewer) => SitePath | Promise<SitePath>

/**
 * The function in `dist/edge/site-paths.js` with its store. It throws or rejects for a result that
 * CloudFront would reject.
 */
export async function loadSiteFunction(dist: string, store: EdgeLocation): Promise<SiteFunction> {
  const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, store)
  return (viewer) => settled(run(viewerEvent(viewer)), read)
}

function read(returned: unknown): SitePath {
  const answer = result.parse(returned)
  if ('uri' in answer) return { kind: 'object', uri: answer.uri }
  const { statusCode, headers, body } = answer
  const closed = Object.keys(headers).find((name) => headerKind(name).kind !== 'open')
  if (closed !== undefined) throw new Error(`the path function answered with the header ${closed}`)
  const pairs = Object.entries(headers).flatMap(([name, { value }]) => [name, value])
  return { kind: 'answer', status: statusCode, headers: pairs, body: body?.data ?? '' }
}
