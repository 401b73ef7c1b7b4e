/** Serves a beacon of this machine as a relay of drand does. */
import { createServer } from 'node:http'
import { type Listening, listen } from '../../../local/listen.ts'
import { type LocalBeaconOptions, localBeacon } from '../core/beacon.ts'
import type { BeaconChain } from '../core/rules.ts'

/** Serves the rounds on a free port, at `/<hash>/public/<round>`; a round that is not due is 404. */
export async function startBeacon(options: LocalBeaconOptions): Promise<Listening & { chain: BeaconChain }> {
  const { chain, round: roundOf } = localBeacon(options)
  const path = new RegExp(`^/${chain.hash}/public/([1-9][0-9]{0,11})$`)
  const server = createServer(async ({ url = '' }, response) => {
    const [, round] = path.exec(url) ?? []
    const { kind, ...found } = round === undefined ? { kind: 'late' } : await roundOf(Number(round))
    response.writeHead(kind === 'published' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found))
  })
  return { chain, ...(await listen(server, 0)) }
}
