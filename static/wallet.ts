/** Runs the wallet page. Reads the wallet once, and again when the reader returns. */
import { heldWait } from '../client/held-wait.ts'
import type { Reply } from '../client/http.ts'
import type { Wallet } from '../core/api/wallet.ts'
import { parseSaleId, type SaleId } from '../core/ids.ts'
import { urlIn } from '../core/lib/url-in.ts'
import { orderRetryMs } from '../core/orders/order-poll.ts'
import { nextWalletPollMs } from '../core/packets/wallet-poll.ts'
import { signInPath } from '../core/people/sign-in-paths.ts'
import type { walletMessages } from '../templates/messages/catalogues.ts'
import { problemKey } from '../templates/messages/codes.ts'
import { walletPatterns } from '../templates/messages/page-patterns.ts'
import { byId, make, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadModule } from '../web/load-module.ts'
import { pageVoice } from '../web/page-voice.ts'
import { noticeOf } from '../web/parts.ts'
import { redrawer } from '../web/redraw.ts'
import { saleCard } from '../web/sale-card.ts'
import { saveFile } from '../web/save.ts'
import { parseWallet, safeAddress } from '../web/wire.ts'
import { pollWhileSeen } from './orders/poll-while-seen.ts'
import { creditsCsv, drawWallet } from './packets/wallet-view.ts'

const voice = await pageVoice<keyof typeof walletMessages>('wallet', walletPatterns)
const status = byId('status')
const show = redrawer(byId('wallet'), 'wallet-title')

/** Reads for a visitor who comes from a claim, whose packet may not be credited yet. */
const maxReads = 4

/** The sale whose packet may not be credited yet. */
let awaited = saleBefore()
const held = heldWait()
let isNextHeld = false
let reads = awaited === undefined ? maxReads : 0
let failures = 0
let seen = ''
let said: keyof typeof walletMessages | undefined
let redraw: () => void = () => undefined

function say(key: typeof said): void {
  said = key
  setText(status, key === undefined ? '' : voice.t(key))
}

/** Reads the wallet. Resolves with the milliseconds until the next read; undefined to stop until the reader returns. */
async function read(isPlanned: boolean): Promise<number | undefined> {
  const reply = await ask(isPlanned)
  const wallet = reply.kind === 'ok' ? parseWallet(reply.body) : undefined
  if (wallet === undefined) return explain(reply)
  failures = 0
  say(undefined)
  return showWallet(wallet)
}

/** Sends the request. A planned one is held until the packet is credited. */
async function ask(isPlanned: boolean): Promise<Reply> {
  if (isPlanned && isNextHeld) {
    const reply = await held.ask(() => call(fetch, `/api/credit?sale=${awaited}`))
    if (reply !== undefined) return reply
  }
  isNextHeld = false
  return call(fetch, '/api/wallet')
}

async function showWallet(wallet: Wallet): Promise<number | undefined> {
  const { balances } = wallet
  const balanceUrl = safeAddress(wallet.balanceUrl, location.origin)
  const listed = await Promise.all(
    wallet.credits.map(async (credit) => ({ credit, card: await saleCard(credit.saleId) })),
  )
  const fresh = JSON.stringify([balances, listed, balanceUrl])
  redraw = () => show(drawWallet(voice, { balances, balanceUrl }, listed, () => void download()))
  if (fresh !== seen) redraw()
  coupons.hidden = false
  if (seen !== '' && fresh !== seen) reads = maxReads
  seen = fresh
  if (wallet.credits.some(({ saleId }) => saleId === awaited)) {
    awaited = undefined
    reads = maxReads
  }
  const wasHeld = isNextHeld
  const heldMs = awaited === undefined ? undefined : held.nextMs(false, Math.random())
  isNextHeld = heldMs !== undefined
  // After the last held request it stops, as the page of the sale does.
  if (wasHeld && isNextHeld) reads = maxReads
  if (heldMs !== undefined) return heldMs
  return reads < maxReads ? nextWalletPollMs(reads++, Math.random()) : undefined
}

async function download(): Promise<void> {
  const reply = await call(fetch, '/api/wallet?credits=all')
  const wallet = reply.kind === 'ok' ? parseWallet(reply.body) : undefined
  if (reply.problem?.code === 'sign-in-required') return askToSignIn()
  if (wallet === undefined) return say('wallet.downloadFailed')
  say(undefined)
  const text = creditsCsv(voice, wallet.credits)
  void saveFile(new Blob([text], { type: 'text/csv' }), 'credits.csv')
}

function saleBefore(): SaleId | undefined {
  const from = urlIn(document.referrer)
  return parseSaleId(/^\/sales\/([^/]+)/.exec(from?.pathname ?? '')?.[1])
}

function explain(reply: Reply): number | undefined {
  const code = reply.problem?.code
  if (code === 'sign-in-required') return askToSignIn()
  if (code === 'blocked' && seen === '') return showNotice('problem.blocked')
  say(code === 'unavailable' ? problemKey(code) : 'wallet.failed')
  failures += 1
  return orderRetryMs(failures, reply.kind === 'refused' ? reply.retryAfterSeconds : undefined, Math.random())
}

function askToSignIn(): undefined {
  const href = signInPath(location.pathname)
  return showNotice('wallet.signIn', () => make('a', { class: 'button', href }, voice.t('nav.signIn')))
}

/** Shows a notice instead of the wallet, and stops polling. */
function showNotice(key: 'wallet.signIn' | 'problem.blocked', next?: () => Node): undefined {
  say(undefined)
  coupons.hidden = true
  seen = ''
  redraw = () => show(noticeOf(voice.t('wallet.title'), voice.t(key), next?.()))
  redraw()
}

const coupons = byId('coupons', HTMLDetailsElement)

async function showCoupons(): Promise<void> {
  if (!coupons.open) return
  const script = byId('main').dataset.couponsScript ?? ''
  const module = await loadModule<typeof import('./wallet-coupons.ts')>(script)
  if (!(await module?.showCoupons())) setText(byId('coupons-place'), voice.t('wallet.downloadFailed'))
}

coupons.addEventListener('toggle', () => void showCoupons())

const watch = pollWhileSeen({ read, hidden: () => document.hidden })

voice.onChange(() => {
  redraw()
  say(said)
  void showCoupons()
})
document.addEventListener('visibilitychange', () => (document.hidden ? watch.rest() : watch.now()))
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) watch.now()
})
watch.now()
