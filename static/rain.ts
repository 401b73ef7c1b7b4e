/** Runs the red-packet page: the shared sale page with the claim, the stage and the wallet. */
import type { Reply } from '../client/http.ts'
import type { Money } from '../core/money.ts'
import type { rainMessages } from '../templates/messages/catalogues.ts'
import { rainPatterns } from '../templates/messages/page-patterns.ts'
import { byId, openStore, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadModule } from '../web/load-module.ts'
import { pageVoice } from '../web/page-voice.ts'
import { whoIsHere } from '../web/signed-in.ts'
import { parseWallet } from '../web/wire.ts'
import { outdatesPage } from './buy/refusal.ts'
import {
  afterClaim,
  afterCredit,
  type ClaimResult,
  claimButton,
  claimOnce,
  creditOf,
  findPacket,
  newsOfClaim,
  newsOfPacket,
  noClaim,
  type RainKey,
  type TapPorts,
} from './packets/claim.ts'
import { rainStage, skyOf } from './packets/rain-stage.ts'
import { startOpening } from './sale/opening.ts'

const currency = byId('main').dataset.currency ?? ''
const voice = await pageVoice<keyof typeof rainMessages>('rain', rainPatterns)
const money = (packet: Money) => voice.money(packet.amount, packet.currency)
const purse = byId('purse')
const purseWords = byId('purse-words')
const purseAmount = byId('purse-amount')
const stage = rainStage({ onTap: () => void claimPacket(), money, random: Math.random })

let claim = noClaim
/** Undefined until the wallet was read. */
let balance: Money | undefined
/** A claimed packet that is not credited yet. */
let pendingCredit: Money | undefined
let hasCheckedWallet = whoIsHere() === null

const opening = startOpening<RainKey>(voice, openStore('sessionStorage'), {
  purchase: () => ({ won: claim.packet !== undefined, unsure: claim.unsure, owns: false }),
  button: claimButton,
  onDraw({ phase, button, fresh }) {
    stage.draw(skyOf({ phase, button, caught: claim.packet !== undefined }))
    drawWallet()
    if (!hasCheckedWallet && fresh !== undefined) {
      hasCheckedWallet = true
      // Before the first round there is nothing to look up, and a waiting crowd must not send requests (C3).
      if (!fresh) void findEarlierPacket()
    }
  },
})
const { saleId } = opening
const ports: TapPorts = {
  fetch,
  online: () => navigator.onLine,
  onChecking: sayAsking,
  wait: (milliseconds) => new Promise((done) => window.setTimeout(done, milliseconds)),
  random: Math.random,
}

function sayAsking(): void {
  opening.showNews({ key: 'status.asking' })
}

/** Handles a tap on a packet and a click on the button. */
async function claimPacket(): Promise<void> {
  if (claim.packet !== undefined && !canAskAgain()) return showPacketAgain(claim.packet)
  let asked = false
  const tapped = await opening.press((intent) => {
    asked = intent.kind === 'buy'
    return intent.kind === 'buy' ? ask(intent.startToken) : lookUpPacket()
  })
  if (tapped !== undefined) applyResult(tapped, asked)
  opening.render()
}

/** True while a shopper who has a packet may claim once more to confirm it. */
function canAskAgain(): boolean {
  return !claim.confirmed && opening.intent() !== undefined
}

function showPacketAgain(packet: Money): void {
  if (opening.cooldown.leftMs() === 0) opening.showNews(newsOfPacket('status.repeat', money(packet)))
}

function ask(startToken: string): Promise<ClaimResult> {
  if (claim.packet !== undefined) sayAsking()
  return claimOnce(ports, { saleId, startToken, inDoubt: claim.unsure, ...opening.clicked() })
}

/** Looks up the result of an earlier claim, when the sale takes no more claims. */
function lookUpPacket(): Promise<ClaimResult> {
  return findPacket({ ...ports, wait: async () => {} }, saleId, { kind: 'lost' }, true)
}

/** `asked`: the click sent a claim. */
function applyResult(tapped: ClaimResult, asked: boolean): void {
  const had = claim.packet !== undefined
  claim = afterClaim(claim, tapped)
  const isFinal = tapped.kind !== 'unsure' && tapped.kind !== 'offline'
  opening.applyAnswer(
    tapped,
    asked ? { isFinal } : undefined,
    tapped.kind === 'won' ? tapped.packet.remaining : undefined,
  )
  const amount = claim.packet === undefined ? '' : money(claim.packet)
  const seconds = Math.ceil(opening.cooldown.leftMs() / 1000)
  const facts = {
    amount,
    seconds,
    hasNextWave: typeof opening.pointer()?.nextStartsAt === 'number',
    signIn: opening.signIn,
    isKnown: had,
  }
  opening.showNews(newsOfClaim(tapped, claim, facts))
  if (claim.packet !== undefined && !had) {
    stage.open(claim.packet, tapped.kind === 'won' && tapped.packet.repeat === true)
    pendingCredit = claim.packet
  }
  // The packet is credited asynchronously.
  if (!had && claim.packet !== undefined) void follow()
  if (outdatesPage(tapped)) opening.refresh()
}

/** True once this page has seen the packet in the wallet. */
let isThere = false

async function read(path: string): Promise<Reply> {
  const reply = await call(fetch, path)
  const wallet = reply.kind === 'ok' ? parseWallet(reply.body) : undefined
  if (wallet === undefined) return reply
  balance = wallet.balances.find((one) => one.currency === currency) ?? { amount: 0, currency }
  const credit = creditOf(wallet, saleId)
  isThere = credit !== undefined
  if (credit !== undefined) arrived(credit)
  opening.render()
  return reply
}

async function follow(): Promise<void> {
  const script = byId('main').dataset.creditScript ?? ''
  const { followCredit } = (await loadModule<typeof import('./follow-credit.ts')>(script)) ?? {}
  if (followCredit === undefined) return gaveUp()
  followCredit({ saleId, read, isThere: () => isThere, gaveUp, random: Math.random })
}

function arrived(credit: Money): void {
  const { packet, unsure } = claim
  claim = afterCredit(claim, credit)
  pendingCredit = undefined
  if (packet === undefined) stage.open(credit, !unsure)
  const announced = opening.news()?.key
  if (unsure || announced === 'status.won' || announced === 'status.creditLate') {
    opening.showNews(newsOfPacket('status.credited', money(credit)))
  }
}

function gaveUp(): void {
  pendingCredit = undefined
  if (claim.packet !== undefined && opening.news()?.key === 'status.won') {
    opening.showNews(newsOfPacket('status.creditLate', money(claim.packet)))
  }
  opening.render()
}

/** Finds the packet of a shopper who returns after a claim, on any device. */
async function findEarlierPacket(): Promise<void> {
  await read('/api/wallet')
  if (isThere && claim.packet !== undefined && opening.news()?.key !== 'status.sending') {
    opening.showNews(newsOfPacket('status.repeat', money(claim.packet)))
  }
  opening.render()
}

byId('buy', HTMLButtonElement).addEventListener('click', () => void claimPacket())
voice.onChange(() => {
  const news = opening.news()
  if (claim.packet !== undefined && news?.args?.amount !== undefined) {
    opening.showNews({ ...news, args: { ...news.args, amount: money(claim.packet) } })
  }
  opening.render()
})

/** Draws the link to the wallet with the balance or the pending packet. */
function drawWallet(): void {
  purse.dataset.state = pendingCredit === undefined ? 'still' : 'on-its-way'
  if (pendingCredit !== undefined) {
    setText(purseWords, voice.t('purse.onItsWay'))
    setText(purseAmount, `+${money(pendingCredit)}`)
  } else {
    setText(purseWords, voice.t(balance === undefined ? 'purse.link' : 'purse.holds'))
    setText(purseAmount, balance === undefined ? '' : money(balance))
  }
}
