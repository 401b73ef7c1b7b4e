/** The page where red packets rain: joins what every such page does with the tap, the stage and the wallet. */
import type { Reply } from '../client/http.ts'
import type { Money } from '../core/money.ts'
import type { rainMessages } from '../templates/messages/catalogues.ts'
import { rainPatterns } from '../templates/messages/page-patterns.ts'
import { byId, openStore, setText } from '../web/dom.ts'
import { call } from '../web/http.ts'
import { loadModule } from '../web/load-module.ts'
import { pageVoice } from '../web/page-voice.ts'
import { whoIsHere } from '../web/signed-in.ts'
import { readWallet } from '../web/wire.ts'
import { outdatesPage } from './buy/refusal.ts'
import {
  afterCredit,
  afterTap,
  catchButton,
  creditOf,
  findPacket,
  newsOfPacket,
  newsOfTap,
  noClaim,
  type RainKey,
  type TapPorts,
  type Tapped,
  tap,
} from './packets/claim.ts'
import { rainStage, skyOf } from './packets/rain-stage.ts'
import { startOpening } from './sale/opening.ts'

const currency = byId('main').dataset.currency ?? ''
const voice = await pageVoice<keyof typeof rainMessages>('rain', rainPatterns)
const money = (packet: Money) => voice.money(packet.amount, packet.currency)
const purse = byId('purse')
const purseWords = byId('purse-words')
const purseAmount = byId('purse-amount')
const stage = rainStage({ onTap: () => void grab(), money, random: Math.random })

let claim = noClaim
/** Undefined while the page has not looked. */
let balance: Money | undefined
/** A packet that is not in the balance yet. */
let onItsWay: Money | undefined
let looked = whoIsHere() === null

const opening = startOpening<RainKey>(voice, openStore('sessionStorage'), {
  purchase: () => ({ won: claim.packet !== undefined, unsure: claim.unsure, owns: false }),
  button: catchButton,
  onDraw({ phase, button, fresh }) {
    stage.draw(skyOf({ phase, button, caught: claim.packet !== undefined }))
    drawWallet()
    if (!looked && fresh !== undefined) {
      looked = true
      // Before the first round there is nothing to look up, and a waiting crowd must not send requests (C3).
      if (!fresh) void lookForEarlierCatch()
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

/** A tap on a packet and a press of the button: the same. */
async function grab(): Promise<void> {
  if (claim.packet !== undefined && !canAskAgain()) return publishAgain(claim.packet)
  let asked = false
  const tapped = await opening.press((intent) => {
    asked = intent.kind === 'buy'
    return intent.kind === 'buy' ? ask(intent.startToken) : lookAgain()
  })
  if (tapped !== undefined) settle(tapped, asked)
  opening.render()
}

/** A shopper who has a packet gets one more answer from the shop; after that the page knows enough. */
function canAskAgain(): boolean {
  return !claim.confirmed && opening.intent() !== undefined
}

function publishAgain(packet: Money): void {
  if (opening.rest.leftMs() === 0) opening.showNews(newsOfPacket('status.repeat', money(packet)))
}

function ask(startToken: string): Promise<Tapped> {
  if (claim.packet !== undefined) sayAsking()
  return tap(ports, { saleId, startToken, inDoubt: claim.unsure, ...opening.clicked() })
}

/** A press where no packet can be asked for any more, while it is not known what became of an earlier one. */
function lookAgain(): Promise<Tapped> {
  return findPacket({ ...ports, wait: async () => {} }, saleId, { kind: 'lost' }, true)
}

/** `asked`: the press has asked for a packet. */
function settle(tapped: Tapped, asked: boolean): void {
  const had = claim.packet !== undefined
  claim = afterTap(claim, tapped)
  const settled = tapped.kind !== 'unsure' && tapped.kind !== 'offline'
  opening.applyAnswer(
    tapped,
    asked ? { settled } : undefined,
    tapped.kind === 'won' ? tapped.packet.remaining : undefined,
  )
  const amount = claim.packet === undefined ? '' : money(claim.packet)
  const seconds = Math.ceil(opening.rest.leftMs() / 1000)
  const facts = {
    amount,
    seconds,
    moreWaves: typeof opening.pointer()?.nextStartsAt === 'number',
    signIn: opening.signIn,
    isKnown: had,
  }
  opening.showNews(newsOfTap(tapped, claim, facts))
  if (claim.packet !== undefined && !had) {
    stage.open(claim.packet, tapped.kind === 'won' && tapped.packet.repeat === true)
    onItsWay = claim.packet
  }
  // A win is on its way to the wallet.
  if (!had && claim.packet !== undefined) void follow()
  if (outdatesPage(tapped)) opening.refresh()
}

/** Whether the packet of this rain is in the wallet, as far as the page knows. */
let isThere = false

async function read(path: string): Promise<Reply> {
  const reply = await call(fetch, path)
  const wallet = reply.kind === 'ok' ? readWallet(reply.body) : undefined
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
  onItsWay = undefined
  if (packet === undefined) stage.open(credit, !unsure)
  const announced = opening.news()?.key
  if (unsure || announced === 'status.won' || announced === 'status.creditLate') {
    opening.showNews(newsOfPacket('status.credited', money(credit)))
  }
}

function gaveUp(): void {
  onItsWay = undefined
  if (claim.packet !== undefined && opening.news()?.key === 'status.won') {
    opening.showNews(newsOfPacket('status.creditLate', money(claim.packet)))
  }
  opening.render()
}

/** A shopper who returns after a claim finds the packet, here and on every other device. */
async function lookForEarlierCatch(): Promise<void> {
  await read('/api/wallet')
  if (isThere && claim.packet !== undefined && opening.news()?.key !== 'status.sending') {
    opening.showNews(newsOfPacket('status.repeat', money(claim.packet)))
  }
  opening.render()
}

byId('buy', HTMLButtonElement).addEventListener('click', () => void grab())
voice.onChange(() => {
  const news = opening.news()
  if (claim.packet !== undefined && news?.args?.amount !== undefined) {
    opening.showNews({ ...news, args: { ...news.args, amount: money(claim.packet) } })
  }
  opening.render()
})

/** The line that leads to the wallet, and says what is in it or on its way there. */
function drawWallet(): void {
  purse.dataset.state = onItsWay === undefined ? 'still' : 'on-its-way'
  if (onItsWay !== undefined) {
    setText(purseWords, voice.t('purse.onItsWay'))
    setText(purseAmount, `+${money(onItsWay)}`)
  } else {
    setText(purseWords, voice.t(balance === undefined ? 'purse.link' : 'purse.holds'))
    setText(purseAmount, balance === undefined ? '' : money(balance))
  }
}
