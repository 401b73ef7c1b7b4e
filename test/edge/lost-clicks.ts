/**
 * Random clicks at random sales, each given to CloudFront's function and to the gate in the same state:
 * what the function refuses, the gate must refuse with the same answer. Where the entry does not bind (it
 * is missing or frozen, of another kind, or the click claims newer facts) the function only asks for a pass,
 * and must not ask again for one that is good.
 */
import { isDeepStrictEqual } from 'node:util'
import { entryKey, entryText, passKeysKey } from '../../core/gate/edge-entry.ts'
import { dayOf, passKeysText } from '../../core/gate/pass.ts'
import { saleKinds } from '../../core/sale/kinds.ts'
import type { EdgeRequest, EdgeResponse } from '../../edge/cloudfront.ts'
import type { GateFacts } from '../../edge/memory/gate-store.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import type { EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { openRandom, type Random, seedOf } from '../../proof/simulation/engine/random.ts'
import { openPreGate } from './pre-gate-visits.ts'
import {
  eventOf,
  fakeStore,
  openInstance,
  openSaleFacts,
  passOf,
  refusalOf,
  saleId,
  startToken,
  tokenAt,
} from './support.ts'

/** How often each code was given by the function, `passed` for what it let through. */
export type Compared = Map<string, number>

const second = 1000
const clicksPerSale = 20
/** A header that a click does not have. */
const none = ''
const today = dayOf(openSaleFacts.startsAt / second)
const keys = new Map([0, 1, 2].map((day) => [today + day, `key-of-day-${day}`]))

/** @throws Error with both answers where the function refuses and the gate does not do the same */
export async function compareClicks(seed: number, count: number): Promise<Compared> {
  const compared: Compared = new Map()
  const values = new Map<string, string>()
  const store: EdgeLocation = { get: (key) => values.get(key) }
  const time = { now: openSaleFacts.startsAt }
  const { refusal } = await openPreGate(store, () => time.now)
  const tokens = await Promise.all(['ann', 'ben'].map((sub) => tokenAt(time.now, { claims: { sub } })))
  for (let done = 0; done < count; done += clicksPerSale) {
    const random = openRandom(seedOf(seed, done))
    const facts = drawFacts(random, time.now)
    values.clear()
    if (random.chance(0.9)) values.set(entryKey(saleId), entryText(entryOf(facts, facts.soldOut ? time.now : null)))
    if (random.chance(0.9)) values.set(passKeysKey, passKeysText(keys))
    const gateStore = fakeStore({ [saleId]: facts })
    gateStore.publishFilter()
    gateStore.setPassKeys(passKeysText(keys))
    const isBlocked = random.chance(0.1)
    if (isBlocked) gateStore.block('ip 203.0.113.7/32')
    const { handler } = openInstance(gateStore, time)
    for (let click = 0; click < clicksPerSale; click += 1) {
      const ask = drawClick(random, facts.version, time.now, tokens)
      const early = await refusal(ask)
      const code = String(early?.code ?? 'passed')
      compared.set(code, (compared.get(code) ?? 0) + 1)
      if (early === undefined) continue
      const late = withoutId(await handler(eventOf({ ...ask, body: '{}' })))
      const isBinding = values.has(entryKey(saleId)) && isBindingFor(facts, ask)
      if (!isBinding && asksForPass(early)) {
        const again = await refusal({ ...ask, headers: { ...ask.headers, 'x-sluice-pass': good(time.now) } })
        if (again === undefined) continue
      }
      if (!isDeepStrictEqual(early, late) && !(isBlocked && isForBlocked(late))) {
        throw new Error(
          `click ${done + click} of seed ${seed}: the function says ${JSON.stringify(early)}, the gate ${JSON.stringify(late)}`,
        )
      }
    }
  }
  return compared
}

function drawFacts(random: Random, now: number): GateFacts {
  const near = () => now + random.whole(-40, 40) * second + random.whole(0, 999)
  const spreadSeconds = random.pick([0, 0, 30, 300])
  return {
    ...openSaleFacts,
    flag: random.pick(['off', 'on', 'on', 'on', 'on', 'paused', 'closed']),
    startToken: random.chance(0.9) ? startToken : null,
    startsAt: random.chance(0.5) ? now - 20 * second : near(),
    endsAt: random.chance(0.7) ? now + 1000 * second : near(),
    nextStartsAt: random.chance(0.3) ? now + 2000 * second : null,
    frozen: random.chance(0.1),
    soldOut: random.chance(0.3),
    rules: {
      ...openSaleFacts.rules,
      kind: random.pick(saleKinds),
      requirePass: spreadSeconds > 0 || random.chance(0.7) ? 'on' : 'off',
      spreadSeconds,
      ...(random.chance(0.4) &&
        random.pick([{ earlyAccess: { minutes: random.pick([1, 10]), minLevel: 2 } }, { invitedOnly: true as const }])),
    },
  }
}

function drawClick(random: Random, version: number, now: number, tokens: readonly string[]) {
  const token = random.pick([...tokens, ...tokens, 'a.b', none])
  const pass = random.pick([passOf(keys, now, 'ann'), passOf(keys, now, 'ben'), ...wrongPasses(now)])
  const seen = random.pick([none, none, `${version}.0`, `${version + 1}.0`, `${version}.${now + 1}`, 'x'])
  const type = random.pick(['application/json', 'application/json', 'application/json', 'text/plain'])
  const headers: Record<string, string | string[]> = { 'content-type': type, 'content-length': '2' }
  if (token !== none && random.chance(0.5)) headers.authorization = `Bearer ${token}`
  else if (token !== none) headers.cookie = `sluice_session=${token}`
  if (pass !== none) headers['x-sluice-pass'] = random.chance(0.05) ? [pass, pass] : pass
  if (seen !== none) headers['x-sluice-seen'] = seen
  const last = random.pick(['orders', 'orders', 'packets'])
  const method = random.chance(0.05) ? 'GET' : 'POST'
  return { method, uri: `/api/sales/${saleId}/${last}`, headers }
}

function wrongPasses(now: number): string[] {
  const good = passOf(keys, now, 'ann')
  const expired = passOf(keys, now - 7 * 3600 * second, 'ann')
  return [none, expired, `${good.slice(0, -1)}-`, good.replace('v1.', 'v2.'), `${good}x`]
}

const isForBlocked = (answer: ReturnType<typeof withoutId>) => answer !== 'let through' && answer.code === 'blocked'

const good = (now: number) => passOf(keys, now, 'ann')

const asksForPass = ({ body }: { body: Record<string, unknown> }) => body.field === 'pass'

function isBindingFor({ frozen, rules }: GateFacts, { uri, headers }: ReturnType<typeof drawClick>): boolean {
  const isOwnKind = uri.endsWith('/packets') === (rules.kind === 'red-packet')
  return !frozen && isOwnKind && headers['x-sluice-seen'] === undefined
}

/** Only the gate knows the id of the request. */
function withoutId(answer: EdgeRequest | EdgeResponse) {
  if ('uri' in answer) return 'let through'
  const { status, headers, body, code } = refusalOf(answer)
  const { 'x-request-id': _id, 'set-cookie': _pass, 'x-sluice-pass': _same, ...others } = headers
  return { status, headers: others, body, code }
}
