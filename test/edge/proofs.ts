/** Gates of sales that check shoppers, and pages that pass the check by a proof of work or by Turnstile. */
import type { GateFacts } from '../../edge/memory/gate-store.ts'
import { startTurnstile } from '../../local/captcha/turnstile.ts'
import { solve } from './solve.ts'
import {
  buyEvent,
  challengeEvent,
  fakeStore,
  gateSettings,
  openInstance,
  openSaleFacts,
  ruled,
  saleId,
  saleIdOf,
  startOfTests,
  startToken,
  unthrottled,
} from './support.ts'

export type Proof = 'pow' | 'turnstile'
type Change = Parameters<typeof challengeEvent>[1]

/** A sale beside `saleId`, with the same check. */
export const otherSale = saleIdOf('phone-43')

/** A Turnstile and gates with one clock, `time`. */
export async function startProofs() {
  const time = { now: startOfTests }
  const turnstile = await startTurnstile({ clock: () => time.now })
  const { siteKey, secret, verifyUrl } = turnstile
  const settings = gateSettings({ turnstile: { siteKey, secret, verifyUrl } })

  function openChecked(challenge: GateFacts['rules']['challenge'] = 'turnstile', facts: Partial<GateFacts> = {}) {
    const sale = { ...openSaleFacts, ...ruled({ ...unthrottled.rules, challenge }), ...facts }
    return openInstance(fakeStore({ [saleId]: sale, [otherSale]: sale }), time)
  }
  type Gate = Pick<ReturnType<typeof openChecked>, 'handler'>

  /** The answer to a request for a challenge, which is never forwarded. */
  async function ask({ handler }: Gate, given: unknown, change: Change = {}) {
    const body = typeof given === 'string' ? given : JSON.stringify(given)
    const answer = await handler(await challengeEvent(time.now, { settings, body, ...change }))
    if ('uri' in answer) throw new Error('a request for a challenge was forwarded')
    return { status: answer.status, body: JSON.parse(answer.body), headers: answer.headers }
  }

  /** Makes a token from the gate's answer like the widget of a page does. */
  async function token(terms: Record<string, string>, change: Record<string, string> = {}): Promise<string> {
    const { siteKey: sitekey = '', action = '', cData = '' } = terms
    const facts = { sitekey, action, cData, hostname: 'shop.example', clicked: false, ...change }
    const response = await fetch(`${turnstile.url}/turnstile/v0/token`, { method: 'POST', body: JSON.stringify(facts) })
    const given: { token: string } = JSON.parse(await response.text())
    return given.token
  }

  /** The widget's terms for a shopper and a sale. */
  const termsFor = async (gate: Gate, change: Change = {}): Promise<Record<string, string>> =>
    (await ask(gate, {}, change)).body.turnstile

  /** Passes the check like Ann's page, and returns the proof for its click. */
  async function proofFrom(gate: Gate, proof: Proof, change: Change = {}): Promise<string> {
    if (proof === 'pow') return solve((await ask(gate, {}, change)).body)
    return (await ask(gate, { token: await token(await termsFor(gate, change)) }, change)).body.ticket
  }

  /** A click of Ann, under an idempotency key, or under none as the one of this epoch. */
  async function buyWith({ handler }: Gate, challenge: string, change: Change & { key?: string | null } = {}) {
    const { key = 'first', ...rest } = change
    const body = JSON.stringify({ quantity: 1, startToken, challenge })
    const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key }
    return handler(await buyEvent(time.now, { settings, body, headers, ...rest }))
  }

  return { time, turnstile, openChecked, ask, token, termsFor, proofFrom, buyWith }
}
