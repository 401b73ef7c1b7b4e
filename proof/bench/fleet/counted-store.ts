/**
 * A proxy in front of the Upstash API that counts the commands of the fleet's gates by kind, and the requests that got no
 * result by their reason. Each command of a pipeline is one, and so is a script, without the commands inside it.
 */
import { createServer, type IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import { listen } from '../../../local/listen.ts'
import { sharedListKeys } from '../../../redis/keys.ts'
import { openPost } from '../../../redis/post.ts'

export type CountedStore = {
  url: string
  /** Commands so far by kind. */
  counts: ReadonlyMap<string, number>
  /** Requests without a result so far by their reason. */
  failures: ReadonlyMap<string, number>
  stop(): Promise<void>
}

const timeoutMs = 10_000

const pipeline = z.array(z.array(z.string()))
/** A refused command, such as that of a script which Redis does not have yet, has an `error` and no `result`. */
const replies = z.array(z.object({ result: z.optional(z.unknown()) }))

/** Forwards each request to `url`, and counts its commands. */
export async function startCountedStore(url: string): Promise<CountedStore> {
  const post = openPost(url)
  const counts = new Map<string, number>()
  const failures = new Map<string, number>()

  async function forward(request: IncomingMessage) {
    const sent = await textOf(request)
    const { authorization = '', 'content-type': type = '' } = request.headers
    const answer = await post(request.url ?? '/', { authorization, 'content-type': type }, sent, timeoutMs)
    if (answer.status !== 200) {
      add(failures, `HTTP ${answer.status}`)
      return answer
    }
    const results = replies.parse(JSON.parse(answer.body))
    for (const [at, command] of pipeline.parse(JSON.parse(sent)).entries()) {
      add(counts, kindOfCommand(command, results[at]?.result))
    }
    return answer
  }

  const server = createServer({ noDelay: true }, (request, response) => {
    forward(request).then(
      ({ status, body }) => response.writeHead(status).end(body),
      (failure: unknown) => {
        add(failures, reasonOf(failure))
        // The gate must see the failure of its store, as it would without the proxy.
        response.destroy()
      },
    )
  })
  const { url: ownUrl, stop } = await listen(server, 0)
  return { url: ownUrl, counts, failures, stop }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The first line of it: an error of a schema has many. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  return `${failure.name}: ${failure.message.split('\n', 1)[0]}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const listReads = new Map<string, string>([
  [sharedListKeys.versions, 'versions of the lists'],
  [sharedListKeys.blocklist, 'block list'],
  [sharedListKeys.filter, 'filter of sale ids'],
])

/** The codes of admit.lua. */
const leaseCodes: Record<number, string> = { 1: 'granted', 2: 'none', 4: 'sold-out', 5: 'throttled', 10: 'unknown' }

/** The gate runs two scripts: `admit` and `count-demand`. */
function kindOfCommand([name = '', key = '', , firstKey = '']: readonly string[], reply: unknown): string {
  if (name === 'EVAL' || name === 'EVALSHA') {
    const script = firstKey.endsWith(':demand') ? 'demand' : 'lease'
    if (!Array.isArray(reply)) return `${script}, script not loaded`
    return script === 'demand' ? 'demand counted' : `lease ${leaseCodes[Number(reply[0])]}`
  }
  return listReads.get(key) ?? (name === 'HMGET' ? 'facts of the sale' : `other ${name}`)
}
