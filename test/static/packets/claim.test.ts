import { beforeAll, describe, expect, it } from 'vitest'
import type { ProblemCode } from '../../../core/outcome.ts'
import type { ButtonFacts } from '../../../static/buy/button.ts'
import {
  afterClaim,
  afterCredit,
  type ClaimResult,
  type ClaimState,
  claimButton,
  claimOnce,
  creditOf,
  newsOfClaim,
  noClaim,
} from '../../../static/packets/claim.ts'
import { rainPatterns } from '../../../templates/messages/page-patterns.ts'
import { addWords } from '../../../templates/messages/text.ts'
import { parseWallet } from '../../../web/wire.ts'
import { type Reply, refusal, shopOfAnswers } from '../shop-of-answers.ts'

const path = 'POST /api/sales/rain/packets'
const lookUp = 'GET /api/packets?sale=rain'
const packet = { packetId: 'rain-p7', amount: 1221, currency: 'CNY' }

const wanted = { saleId: 'rain', startToken: 'token-1', seen: '2.7' }

type Around = { challenge?: string; online?: boolean; inDoubt?: boolean; found?: Reply }

/** `found` is the answer to the look-up; without it the look-up gets none. `waits` is how long it waited before, ms. */
async function tapped(reply: Reply, { challenge, online = true, inDoubt = false, found = 'lost' }: Around = {}) {
  const { fetch, asked } = shopOfAnswers({ [path]: [reply], [lookUp]: [found] })
  const waits: (number | 'checking')[] = []
  const ports = {
    ...{ fetch, online: () => online, random: () => 0.5 },
    onChecking: () => void waits.push('checking'),
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  }
  return { answer: await claimOnce(ports, { ...wanted, challenge, inDoubt }), asked, waits }
}

describe('a tap', () => {
  it('sends exactly one request with the start token, and the challenge where there is one (C7, P2, R5)', async () => {
    const { answer, asked } = await tapped({ status: 200, body: { ...packet, remaining: 9 } })
    expect(answer).toEqual({ kind: 'won', packet: { ...packet, remaining: 9 } })
    expect(asked).toEqual([
      { path: '/api/sales/rain/packets', method: 'POST', key: null, seen: '2.7', body: { startToken: 'token-1' } },
    ])
    const solved = await tapped({ status: 200, body: packet }, { challenge: 'solved' })
    expect(solved.asked[0]?.body).toEqual({ startToken: 'token-1', challenge: 'solved' })
  })

  it('never left a device without a connection, and is then no lost answer', async () => {
    expect((await tapped('lost', { online: false })).answer).toEqual({ kind: 'offline' })
    expect((await tapped('lost')).answer).toEqual({ kind: 'unsure' })
  })

  it('is refused where the shop says so for sure', async () => {
    const { answer } = await tapped(refusal('sold-out', 410, { remaining: 0 }))
    expect(answer).toMatchObject({ kind: 'refused', code: 'sold-out', remaining: 0, atGate: false })
    const full = { ...refusal('at-capacity', 429, { retryAfterSeconds: 2 }), headers: { 'x-sluice-gate': '1' } }
    expect((await tapped(full)).answer).toMatchObject({ kind: 'refused', code: 'at-capacity', atGate: true })
  })

  it('finds its packet after a lost answer, a while later, also before it is credited (P3)', async () => {
    const found = { status: 200, body: { packet } }
    const { answer, asked, waits } = await tapped('lost', { found })
    expect(answer).toEqual({ kind: 'won', packet })
    expect(asked.map(({ path }) => path)).toEqual(['/api/sales/rain/packets', '/api/packets?sale=rain'])
    expect(waits).toEqual(['checking', 7500])
    const none = await tapped('lost', { found: { status: 200, body: { packet: null } } })
    expect(none.answer).toEqual({ kind: 'unsure' })
    const out = await tapped('lost', { found: refusal('sign-in-required', 401) })
    expect(out.answer).toMatchObject({ kind: 'refused', code: 'sign-in-required' })
  })

  it('finds the packet of an earlier tap before it counts as refused', async () => {
    const gone = refusal('sold-out', 410, { remaining: 0 })
    const { answer, waits } = await tapped(gone, { inDoubt: true, found: { status: 200, body: { packet } } })
    expect(answer).toEqual({ kind: 'won', packet })
    expect(waits).toEqual([])
    const none = await tapped(gone, { inDoubt: true, found: { status: 200, body: { packet: null } } })
    expect(none.answer).toMatchObject({ kind: 'refused', code: 'sold-out' })
    expect((await tapped(gone, { inDoubt: true })).answer).toEqual({ kind: 'unsure' })
    expect((await tapped(gone)).asked, 'a sure refusal needs no look-up').toHaveLength(1)
  })

  it.each<[string, Reply]>([
    ['got lost', 'lost'],
    ['came from a function that broke, which may have claimed a packet before', refusal('unavailable', 503)],
    ['has no packet in it', { status: 200, body: { amount: 'much' } }],
    ['is nobody’s we know', { status: 502, body: {} }],
  ])('says nothing definite when its answer %s (S6)', async (_, reply) => {
    expect((await tapped(reply)).answer).toEqual({ kind: 'unsure' })
  })
})

const money = { amount: 1221, currency: 'CNY' }
const won = (repeat: boolean): ClaimResult => ({
  kind: 'won',
  packet: { packetId: 'rain-p7', ...money, ...(repeat && { repeat }) },
})
const refused = (code: ProblemCode, atGate = false): ClaimResult => {
  return { kind: 'refused', code, remaining: 0, retryAfterSeconds: 0, atGate }
}
const claimAfter = (...answers: ClaimResult[]): ClaimState => answers.reduce(afterClaim, noClaim)
const facts = { amount: '¥12.21', seconds: 7, hasNextWave: false, signIn: '/sign-in/?return=%2F', isKnown: false }

/** Returns the message that a shopper reads after these answers, one after the other. */
function messageAfter(answers: ClaimResult[], change: Partial<typeof facts> = {}) {
  const last = answers.at(-1)
  if (last === undefined) throw new Error('nothing was answered')
  return newsOfClaim(last, claimAfter(...answers), { ...facts, ...change })
}

const wallet = (saleId: string) => {
  const credit = { saleId, packetId: 'x-p1', ...money, claimedAt: 1, creditedAt: 2, balance: 1221 }
  const read = parseWallet({ balances: [money], credits: [credit] })
  if (read === undefined) throw new Error('this is a wallet')
  return read
}

beforeAll(() => addWords({ en: rainPatterns.en ?? {} }))

it('a tap that never left the device says that nothing was sent, and leaves what the page knows as it was', () => {
  expect(claimAfter({ kind: 'offline' })).toEqual(noClaim)
  expect(claimAfter({ kind: 'unsure' }, { kind: 'offline' }).unsure).toBe(true)
  expect(messageAfter([won(false), { kind: 'offline' }]).key).toBe('status.notSent')
})

describe('what a shopper has of a rain', () => {
  it('is the packet of the tap that caught it, and stays that after later taps (P3)', () => {
    expect(claimAfter(won(false))).toEqual({ packet: money, confirmed: false, unsure: false })
    expect(claimAfter(won(false), { kind: 'unsure' })).toEqual({ packet: money, confirmed: false, unsure: false })
    expect(claimAfter(won(false), refused('sold-out')).packet).toEqual(money)
  })

  it('needs no further question once the shop has said it twice', () => {
    expect(claimAfter(won(false), won(true)).confirmed).toBe(true)
    expect(claimAfter(won(true)).confirmed).toBe(true)
  })

  it('is unknown after a lost answer, until a refusal, after a check of the wallet, or the wallet says better', () => {
    const lost = claimAfter({ kind: 'unsure' })
    expect(lost.unsure).toBe(true)
    expect(afterClaim(lost, refused('sold-out')).unsure).toBe(false)
    expect(afterClaim(lost, won(true))).toEqual({ packet: money, confirmed: true, unsure: false })
    expect(afterCredit(lost, money)).toEqual({ ...noClaim, packet: money })
  })

  it('is found in the wallet by the rain that it came from', () => {
    expect(creditOf(wallet('rain'), 'rain')).toMatchObject(money)
    expect(creditOf(wallet('other-rain'), 'rain')).toBeUndefined()
  })
})

describe('the news after a tap', () => {
  it('does not say once more that a packet is being credited which a look-up finds after a later tap', () => {
    expect(messageAfter([won(false), won(false)], { isKnown: true }).key).toBe('status.repeat')
  })

  it('names the amount, and leads to the wallet', () => {
    expect(messageAfter([won(false)])).toEqual({
      key: 'status.won',
      args: { amount: '¥12.21' },
      link: { href: '/wallet/', key: 'status.toWallet' },
    })
  })

  it('says that it was claimed before, also when the second answer is lost or refused (P3)', () => {
    expect(messageAfter([won(false), won(true)])).toMatchObject({ key: 'status.repeat', args: { amount: '¥12.21' } })
    expect(messageAfter([won(false), { kind: 'unsure' }]).key).toBe('status.repeat')
    expect(messageAfter([won(false), refused('sold-out', true)]).key).toBe('status.repeat')
  })

  it('promises nothing it does not know', () => {
    expect(messageAfter([{ kind: 'unsure' }])).toEqual({ key: 'status.unsure' })
    expect(messageAfter([{ kind: 'unsure' }, refused('sold-out')]).key).toBe('problem.sold-out')
  })

  it('tells of the next wave where there is one (R7)', () => {
    expect(messageAfter([refused('sold-out')])).toEqual({ key: 'problem.sold-out', args: { remaining: 0, seconds: 7 } })
    expect(messageAfter([refused('sold-out')], { hasNextWave: true }).key).toBe('status.roundSoldOut')
  })

  it('asks to wait where all places are taken, and leads strangers to the sign-in', () => {
    expect(messageAfter([refused('at-capacity', true)]).key).toBe('status.full')
    expect(messageAfter([refused('unavailable', true)]).key).toBe('problem.unavailable')
    expect(messageAfter([refused('sign-in-required', true)]).link?.href).toBe(facts.signIn)
    expect(messageAfter([refused('too-many-requests', true)]).args?.seconds).toBe(7)
  })
})

describe('the button under a rain', () => {
  const open: ButtonFacts = {
    ...{ phase: 'open', hasToken: true, now: 2000, startsAt: 0, releasedAt: undefined, jitterMs: 0, turnMs: 0 },
    ...{ cooldownLeftMs: 0, sending: false, won: false, unsure: false, owns: false, pendingCheck: undefined },
  }

  it('can be pressed after a catch, once it has rested, to hear again what was caught (C7)', () => {
    const caught = { ...open, won: true }
    expect(claimButton({ ...caught, cooldownLeftMs: 1 })).toMatchObject({ kind: 'won', isEnabled: false })
    expect(claimButton({ ...caught, sending: true })).toMatchObject({ kind: 'won', isEnabled: false })
    expect(claimButton(caught)).toMatchObject({ kind: 'won', isEnabled: true })
    expect(claimButton({ ...caught, phase: 'ended' })).toMatchObject({ kind: 'won', isEnabled: true })
  })
})
