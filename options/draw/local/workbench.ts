/** A local beacon with the HTTP API of a drand relay, and a demo sale with a draw. */
import { createServer } from 'node:http'
import { type Listening, listen } from '../../../local/listen.ts'
import type { DemoSale, LocalService, WorkbenchSeam } from '../../../local/seams.ts'
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

/** Any time before the first draw, Unix seconds. */
const genesis = 1_700_000_000

/** Its seed is stored, so that an open draw continues after a restart. */
const beacon: LocalService = async (secretOf) => {
  const { chain, url, stop } = await startBeacon({
    ...{ seed: secretOf('beacon', 48), genesis, period: 3, clock: Date.now },
  })
  return { stop, environment: { DRAW_BEACON: JSON.stringify({ chain, url }) } }
}

const minute = 60_000
const day = 24 * 60 * minute

const signedTeapot: DemoSale = {
  picture: 'teapot',
  title: { en: 'Signed first-edition teapot', 'zh-CN': '签名首版茶壶' },
  description: {
    en: 'Five pieces, drawn among all who enter in the first two minutes. Winners have an hour to buy.',
    'zh-CN': '限量 5 件，两分钟内报名即可参与抽签，中签后一小时内购买。',
  },
  note: 'a draw takes entries for two minutes',
  isStarted: true,
  startsInMs: 3 * minute,
  /** Entries for two minutes, a minute until the number comes, and an hour to buy. */
  times: (startsAt) => ({
    startsAt: startsAt + 10 * 1000,
    endsAt: startsAt + day,
    draw: { opensAt: startsAt - 3 * minute, closesAt: startsAt - minute, commitSeconds: 60, claimSeconds: 3600 },
  }),
  sale: {
    kind: 'goods',
    saleId: 'signed-teapot',
    price: 12000,
    currency: 'EUR',
    stock: 5,
    limitPerShopper: 1,
    maxPerOrder: 1,
  },
}

export const workbench = {
  services: [beacon],
  demoSales: [signedTeapot],
} satisfies WorkbenchSeam
