/** Draws the wallet: balances, and each credit with the balance after it. Exports the credits as CSV. */
import type { Wallet, WalletCredit } from '../../core/api/wallet.ts'
import { csvText } from '../../core/lib/csv-line.ts'
import { minorDigits, withSign } from '../../core/money.ts'
import { clockAt } from '../../core/sale/schedule.ts'
import type { walletMessages } from '../../templates/messages/catalogues.ts'
import { make } from '../../web/dom.ts'
import { button, emptyPlace, linkedRow } from '../../web/parts.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import type { Voice } from '../../web/voice.ts'

type WalletVoice = Voice<keyof typeof walletMessages>

export type ListedCredit = { credit: WalletCredit; card: SaleCard }

/** The API returns at most this many credits. */
const maxCredits = 100

export function drawWallet(
  voice: WalletVoice,
  { balances, balanceUrl }: Pick<Wallet, 'balances' | 'balanceUrl'>,
  listed: readonly ListedCredit[],
  download: () => void,
): HTMLElement {
  const title = make('h1', { id: 'wallet-title', tabindex: -1 }, voice.t('wallet.title'))
  if (balances.length === 0 && listed.length === 0) return make('section', {}, title, empty(voice))
  const sums = balances.map(({ amount, currency }) =>
    make(
      'li',
      { class: 'panel', 'data-currency': currency },
      make('span', { class: 'note' }, voice.t('wallet.balance')),
      make('strong', { class: 'balances__sum' }, voice.money(amount, currency)),
      balanceUrl === undefined ? undefined : make('a', { class: 'button', href: balanceUrl }, voice.t('wallet.inShop')),
    ),
  )
  return make(
    'section',
    { class: 'wallet stack' },
    title,
    make('ul', { class: 'balances stack', id: 'balances' }, ...sums),
    make('h2', { id: 'credits-title' }, voice.t('wallet.statement')),
    make(
      'ul',
      { class: 'rows', id: 'credits', 'aria-labelledby': 'credits-title' },
      ...listed.map((one) => row(voice, one)),
    ),
    listed.length < maxCredits ? undefined : make('p', { class: 'note' }, voice.t('wallet.newest', { n: maxCredits })),
    button(voice.t('wallet.download'), download, { look: 'plain', id: 'credits-csv' }),
  )
}

function empty(voice: WalletVoice): HTMLElement {
  const toShop = make('a', { class: 'button button--plain', href: '/' }, voice.t('wallet.toShop'))
  return emptyPlace(voice.t('wallet.empty'), toShop)
}

function row(voice: WalletVoice, { credit, card }: ListedCredit): HTMLElement {
  const { saleId, packetId, amount, currency, creditedAt, balance } = credit
  const time = make('time', { datetime: new Date(creditedAt).toISOString() }, voice.shortMoment(creditedAt))
  const after = voice.t('wallet.after', { money: voice.money(balance, currency) })
  return linkedRow(
    { 'data-packet-id': packetId },
    {
      ...{ href: `/sales/${saleId}/`, id: `credit-${saleId}`, image: card.image },
      ...{ title: card.titleIn(voice.language()), notes: [time, after] },
      end: make('span', { class: 'rows__sum' }, withSign('+', voice.money(amount, currency))),
    },
  )
}

/** Returns the credits as CSV (RFC 4180). The heading names the time zone. Amounts have a point in any language. */
export function creditsCsv(voice: WalletVoice, credits: readonly WalletCredit[]): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const rows = credits.map(({ creditedAt, amount, currency, balance, packetId }) => [
    localTime(creditedAt),
    decimal(amount, currency),
    currency,
    decimal(balance, currency),
    packetId,
  ])
  const headings = [
    voice.t('csv.time', { zone: timeZone }),
    voice.t('csv.amount'),
    voice.t('csv.currency'),
    voice.t('wallet.balance'),
    voice.t('csv.reference'),
  ]
  return csvText([headings, ...rows])
}

/** Returns `2026-11-22 14:03:05`, which spreadsheets in any language read as a time. */
function localTime(ms: number): string {
  return new Date(clockAt(ms, undefined)).toISOString().slice(0, 19).replace('T', ' ')
}

function decimal(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}
