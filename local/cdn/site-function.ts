/** Runs the deployed CloudFront Function (`edge/site-paths.js`) as it is shipped, away from Node's own globals. */
import { readFile } from 'node:fs/promises'
import { createContext, Script } from 'node:vm'
import * as z from 'zod/mini'

/** Where a viewer's path leads: to an object, or to another address. */
export type SitePath =
  | { kind: 'object'; uri: string }
  | { kind: 'redirect'; status: number; location: string }

const result = z.union([
  z.object({ statusCode: z.number(), headers: z.object({ location: z.object({ value: z.string() }) }) }),
  z.object({ uri: z.string() }),
])

/** The function in `dist/edge/site-paths.js`. */
export async function loadSiteFunction(dist: string): Promise<(uri: string, clientIp: string) => SitePath> {
  const file = `${dist}/edge/site-paths.js`
  const context = createContext(Object.create(null))
  // CloudFront calls the global function named handler; its runtime has no modules.
  new Script(await readFile(file, 'utf8'), { filename: file }).runInContext(context)
  const run = new Script('handler(event)')
  return (uri, clientIp) => {
    context.event = {
      version: '1.0',
      context: {
        distributionDomainName: 'localhost',
        distributionId: 'LOCAL',
        eventType: 'viewer-request',
        requestId: '',
      },
      viewer: { ip: clientIp },
      request: { method: 'GET', uri, querystring: {}, headers: {}, cookies: {} },
    }
    const answer = result.parse(run.runInContext(context))
    return 'uri' in answer
      ? { kind: 'object', uri: answer.uri }
      : { kind: 'redirect', status: answer.statusCode, location: answer.headers.location.value }
  }
}
