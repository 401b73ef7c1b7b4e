/** The deployed path function of the pages (`edge/site-paths.js`), and its results. */
import * as z from 'zod/mini'
import type { EdgeLocation } from './key-value-store.ts'
import { loadViewerFunction, settled, viewerEvent } from './viewer-function.ts'

/** The result for a viewer's path: an object, or a redirect. */
type SitePath = { kind: 'object'; uri: string } | { kind: 'redirect'; status: number; location: string }

const result = z.union([
  z.object({ statusCode: z.number(), headers: z.object({ location: z.object({ value: z.string() }) }) }),
  z.object({ uri: z.string() }),
])

/** `url` is the viewer's raw path with its query. */
export type SiteFunction = (url: string, clientIp: string) => SitePath | Promise<SitePath>

/** The function in `dist/edge/site-paths.js` with its store. */
export async function loadSiteFunction(dist: string, store: EdgeLocation): Promise<SiteFunction> {
  const run = await loadViewerFunction(`${dist}/edge/site-paths.js`, store)
  return (url, ip) => settled(run(viewerEvent({ ip, method: 'GET', url, rawHeaders: [] })), read)
}

function read(returned: unknown): SitePath {
  const answer = result.parse(returned)
  return 'uri' in answer
    ? { kind: 'object', uri: answer.uri }
    : { kind: 'redirect', status: answer.statusCode, location: answer.headers.location.value }
}
