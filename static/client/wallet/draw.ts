/** A wallet as an element: what is in it, in big money, and each movement with the balance after it. */

import type { StatementLine, Wallet } from '../../../core/api/wallet.ts'
import { withSign } from '../../../core/money.ts'
import { byId, make, setText } from '../lib/dom.ts'
import type { Voice } from '../lib/voice.ts'
import type { SaleCard } from '../orders/sale-card.ts'
import { lineKey, reasonKeys, type WalletKey } from './lines.ts'

export type WalletVoice = Voice<WalletKey>

/** A movement with what is known of its sale. */
export type ListedLine = { line: StatementLine; card: SaleCard | undefined }

/** What the check of a packet's amount says; `calm`: it says nothing against the shop. */
export type CheckedPacket = { tone: 'good' | 'bad' | 'calm'; text: string }

/** What can be done in a wallet. */
export type WalletActions = {
  /** Computes the amount of a packet again. */
  check: (line: StatementLine) => void
  checked: (packetId: string) => CheckedPacket | undefined
  withdraw: (currency: string) => void
  /** True while a withdrawal of that currency is being asked for. */
  isWithdrawing: (currency: string) => boolean
  download: () => void
}

/** The shop shows this many movements at most. */
const mostLines = 100

export function drawWallet(
  voice: WalletVoice,
  { balances, minimums, balanceUrl }: Pick<Wallet, 'balances' | 'minimums' | 'balanceUrl'>,
  listed: readonly ListedLine[],
  actions: WalletActions,
): HTMLElement {
  const title = make('h1', { id: 'wallet-title', tabindex: -1 }, voice.t('wallet.title'))
  if (balances.length === 0 && listed.length === 0) return make('section', {}, title, empty(voice))
  const lines = listed.map(({ line }) => line)
  const sums = balances.map(({ amount, currency }) =>
    make(
      'li',
      { 'data-currency': currency },
      make('span', { class: 'balances__name' }, voice.t('wallet.balance')),
      make('strong', { class: 'balances__sum' }, voice.money(amount, currency)),
      ...withdrawal(voice, { amount, currency, minimum: minimums?.[currency], balanceUrl }, lines, actions),
    ),
  )
  return make(
    'section',
    { class: 'wallet' },
    title,
    make('ul', { class: 'balances', id: 'balances' }, ...sums),
    make('h2', { id: 'credits-title' }, voice.t('wallet.statement')),
    make(
      'ul',
      { class: 'rows', id: 'credits', 'aria-labelledby': 'credits-title' },
      ...listed.map((one) => row(voice, one, actions)),
    ),
    listed.length < mostLines
      ? undefined
      : make('p', { class: 'wallet__newest' }, voice.t('wallet.newest', { n: mostLines })),
    make(
      'button',
      { type: 'button', class: 'button button--plain', id: 'statement-csv', click: actions.download },
      voice.t('wallet.download'),
    ),
  )
}

function empty(voice: WalletVoice): HTMLElement {
  return make(
    'div',
    { class: 'empty' },
    make('p', {}, voice.t('wallet.empty')),
    make('a', { class: 'button button--plain', href: '/' }, voice.t('wallet.toShop')),
  )
}

/** The withdrawal of a balance, or the way to where the shop holds it; empty in a shop that pays nothing out. */
function withdrawal(
  voice: WalletVoice,
  {
    amount,
    currency,
    minimum,
    balanceUrl,
  }: Wallet['balances'][number] & { minimum: number | undefined; balanceUrl: string | undefined },
  lines: readonly StatementLine[],
  { withdraw, isWithdrawing }: WalletActions,
): HTMLElement[] {
  if (balanceUrl !== undefined) return [make('a', { class: 'button', href: balanceUrl }, voice.t('wallet.inShop'))]
  if (minimum === undefined) return []
  const onItsWay = lines.find((line) => line.currency === currency && line.state === 'requested')
  if (onItsWay !== undefined) {
    const money = voice.money(-onItsWay.amount, currency)
    return [make('p', { class: 'balances__note' }, voice.t('wallet.onItsWay', { money }))]
  }
  if (amount < minimum) {
    const money = voice.money(minimum, currency)
    return [make('p', { class: 'balances__note' }, voice.t('wallet.minimum', { money }))]
  }
  const button = make(
    'button',
    {
      type: 'button',
      class: 'button',
      id: `withdraw-${currency}`,
      click: () => withdraw(currency),
    },
    voice.t(isWithdrawing(currency) ? 'wallet.withdrawing' : 'wallet.withdraw'),
  )
  button.setAttribute('aria-disabled', String(isWithdrawing(currency)))
  return [button]
}

function row(voice: WalletVoice, { line, card }: ListedLine, actions: WalletActions): HTMLElement {
  const { saleId, packetId, payoutId, amount, currency, at, balance, reason } = line
  const sign = amount < 0 ? '−' : '+'
  const time = make('time', { datetime: new Date(at).toISOString() }, voice.shortMoment(at))
  const after = voice.t('wallet.after', { money: voice.money(balance, currency) })
  const what = card?.titleIn(voice.language()) ?? voice.t(lineKey(line))
  const content = [
    card?.image === undefined ? undefined : make('img', { src: card.image, alt: '', width: 72, height: 72 }),
    make(
      'span',
      { class: 'rows__words' },
      make('strong', {}, what),
      make('small', {}, time),
      make('small', {}, after),
      reason === undefined ? undefined : make('small', {}, voice.t(reasonKeys[reason])),
    ),
    make(
      'span',
      { class: `rows__sum${amount < 0 ? ' rows__sum--out' : ''}` },
      withSign(sign, voice.money(Math.abs(amount), currency)),
    ),
  ]
  if (saleId === undefined) {
    return make(
      'li',
      { ...(payoutId !== undefined && { 'data-payout-id': payoutId }) },
      make('div', { class: 'rows__entry' }, ...content),
    )
  }
  return make(
    'li',
    { ...(packetId !== undefined && { 'data-packet-id': packetId }) },
    make('a', { href: `/sales/${saleId}/`, id: `credit-${saleId}` }, ...content),
    ...(packetId === undefined ? [] : [packetCheck(voice, line, packetId, actions)]),
  )
}

function packetCheck(
  voice: WalletVoice,
  line: StatementLine,
  packetId: string,
  { check, checked }: WalletActions,
): HTMLElement {
  const said = make('p', { id: checkedId(packetId), role: 'status' })
  showChecked(packetId, checked(packetId), said)
  return make(
    'div',
    { class: 'rows__check' },
    make(
      'button',
      { type: 'button', class: 'button button--plain', id: `check-${packetId}`, click: () => check(line) },
      voice.t('wallet.check'),
    ),
    said,
  )
}

const checkedId = (packetId: string) => `checked-${packetId}`

/** Shows in its place what the check of a packet says: a screen reader reads a place that stays. */
export function showChecked(
  packetId: string,
  found: CheckedPacket | undefined,
  place: HTMLElement = byId(checkedId(packetId)),
): void {
  place.dataset.tone = found?.tone ?? 'calm'
  setText(place, found?.text ?? '')
}
