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

/** `query` is the raw text behind the question mark, empty when there is none. */
export type SiteFunction = (uri: string, query: string, clientIp: string) => SitePath

/** The function in `dist/edge/site-paths.js`. */
export async function loadSiteFunction(dist: string): Promise<SiteFunction> {
  const file = `${dist}/edge/site-paths.js`
  const context = createContext(Object.create(null))
  // CloudFront calls the global function named handler; its runtime has no modules.
  new Script(await readFile(file, 'utf8'), { filename: file }).runInContext(context)
  const run = new Script('handler(event)')
  return (uri, query, clientIp) => {
    context.event = {
      version: '1.0',
      context: {
        distributionDomainName: 'localhost',
        distributionId: 'LOCAL',
        eventType: 'viewer-request',
        requestId: '',
      },
      viewer: { ip: clientIp },
      request: { method: 'GET', uri, querystring: queryOf(query), headers: {}, cookies: {} },
    }
    const answer = result.parse(run.runInContext(context))
    return 'uri' in answer
      ? { kind: 'object', uri: answer.uri }
      : { kind: 'redirect', status: answer.statusCode, location: answer.headers.location.value }
  }
}

type QueryValue = { value: string; multiValue?: { value: string }[] }

/**
 * The query in the form of such a function's event: names and values as they came, still encoded; a name that
 * came more than once has all of its values in `multiValue`.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
 */
function queryOf(query: string): Record<string, QueryValue> {
  // No prototype, so that a parameter called "constructor" is like any other.
  const found: Record<string, QueryValue> = Object.create(null)
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    const first = found[name]
    if (first === undefined) found[name] = { value }
    else first.multiValue = [...(first.multiValue ?? [{ value: first.value }]), { value }]
  }
  return found
}
