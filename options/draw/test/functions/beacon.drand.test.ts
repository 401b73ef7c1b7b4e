/** The answers of the beacon when its mirrors lie, fail or hang. The mirrors are real local servers. */
import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../../../../local/listen.ts'
import { useStops } from '../../../../test/stops.ts'
import { quicknet } from '../../core/beacon.ts'
import { timeOfRound } from '../../core/rules.ts'
import { drandBeacon, drandMirrors } from '../../functions/beacon.drand.ts'
import { startBeacon } from '../../local/workbench.ts'
import { publishedRounds } from '../core/quicknet.ts'

const stops = useStops()

const round = 1000
const published = publishedRounds.find((one) => one.round === round)
const other = publishedRounds.find((one) => one.round === 123)

const json = (body: unknown, status = 200): RequestListener => {
  return (_request, response) => response.writeHead(status).end(JSON.stringify(body))
}
const right = json(published)
const early = json({ error: 'not found' }, 404)
const silent: RequestListener = () => {}
const stalled: RequestListener = (_request, response) => response.writeHead(200).write('{"round":1000,')

async function mirrorOf(behaviour: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    expect(request.headers['user-agent']).toMatch(/^Sluice\//)
    behaviour(request, response)
  })
  const { url, stop } = await listen(server, 0)
  stops.push(stop)
  return { url, asked }
}

async function beaconOf(behaviours: readonly RequestListener[], timeoutMs = 30_000) {
  const mirrors = await Promise.all(behaviours.map(mirrorOf))
  const clock = () => timeOfRound(quicknet, round)
  const urls = mirrors.map(({ url }) => url)
  return { mirrors, beacon: drandBeacon({ chain: quicknet, mirrors: urls, clock, timeoutMs }) }
}

describe('a beacon with mirrors', () => {
  it('asks at the path of the chain, on four mirrors with TLS', async () => {
    const { beacon, mirrors } = await beaconOf([right])
    expect(await beacon.round(round)).toEqual({ kind: 'published', ...published })
    expect(mirrors[0]?.asked).toEqual([`/${quicknet.hash}/public/1000`])
    expect(drandMirrors.map((mirror) => new URL(mirror).protocol)).toEqual(Array(4).fill('https:'))
  })

  it.each<[string, RequestListener]>([
    ['the signature of another round', json({ ...other, round })],
    ['another round', json(other)],
    ['a changed signature', json({ ...published, signature: published?.signature.replace(/39$/, '38') })],
    ['no signature', json({ round })],
    ['a page', (_request, response) => response.end('<!doctype html>')],
    ['404, as for a round that it does not have yet', early],
    ['503', json({}, 503)],
    ['a round, with a status that says otherwise', json(published, 500)],
    ['more bytes than a round has', json({ ...published, rest: 'x'.repeat(2000) })],
    ['nothing', silent],
    ['half of a body', stalled],
    ['a closed connection', ({ socket }) => socket.destroy()],
  ])('takes the round of another mirror when two give %s', async (_name, wrong) => {
    const { beacon } = await beaconOf([wrong, wrong, right])
    expect(await beacon.round(round)).toEqual({ kind: 'published', ...published })
  })

  it('answers the randomness of the signature, when a mirror gives another', async () => {
    const { beacon } = await beaconOf([json({ ...published, randomness: '00'.repeat(32) })])
    expect(await beacon.round(round)).toEqual({ kind: 'published', ...published })
  })

  it('follows no redirect', async () => {
    const elsewhere = await mirrorOf(right)
    const { beacon, mirrors } = await beaconOf([
      (_request, response) => response.writeHead(302, { location: `${elsewhere.url}/moved` }).end(),
    ])
    expect(await beacon.round(round)).toMatchObject({ kind: 'late' })
    expect([mirrors[0]?.asked.length, elsewhere.asked]).toEqual([1, []])
  })

  it('is late, with the reason of each mirror, until one has the round', async () => {
    let isPublished = false
    const late: RequestListener = (...request) => (isPublished ? right : early)(...request)
    const { beacon, mirrors } = await beaconOf([late, json({ ...other, round }), json([])])
    const reasons = ['status 404', 'signature does not verify for round 1000', 'body must be an object']
    expect(await beacon.round(round)).toEqual({
      kind: 'late',
      reasons: reasons.map((reason, index) => `${mirrors[index]?.url}: ${reason}`),
    })
    isPublished = true
    expect(await beacon.round(round)).toEqual({ kind: 'published', ...published })
  })

  it('is late when all mirrors hang', async () => {
    const { beacon } = await beaconOf([silent, stalled], 50)
    const hung = expect.stringContaining('The operation was aborted due to timeout')
    expect(await beacon.round(round)).toEqual({ kind: 'late', reasons: [hung, hung] })
  })

  it('asks no mirror before the round is due', async () => {
    const { beacon, mirrors } = await beaconOf([right])
    expect(await beacon.round(round + 1)).toEqual({ kind: 'late', reasons: ['due at 2023-08-23T15:59:27.000Z'] })
    expect(mirrors[0]?.asked).toEqual([])
  })

  it('reads the local beacon as one of drand, whose next round is late until its time', async () => {
    let now = 1_700_000_001_000
    const clock = () => now
    const seed = new Uint8Array(48).fill(1)
    const { chain, url, stop } = await startBeacon({ seed, period: 3, genesis: 1_700_000_000, clock })
    stops.push(stop)
    const early = drandBeacon({ chain, mirrors: [url], clock: () => now + 3000, timeoutMs: 30_000 })
    expect(await early.round(1)).toMatchObject({ kind: 'published', round: 1 })
    expect(await early.round(2)).toEqual({ kind: 'late', reasons: [`${url}: status 404`] })
    now += 2000
    const second = await early.round(2)
    expect(second).toMatchObject({ kind: 'published', round: 2 })
    const latest = await fetch(`${url}/${chain.hash}/public/latest`)
    expect(second).toMatchObject((await latest.json()) as object)
    expect((await fetch(`${url}/${quicknet.hash}/public/1`)).status).toBe(404)
  })
})
