/** The credits of a wallet as a table for a spreadsheet (RFC 4180). */
import type { WalletCredit } from '../../../core/api/wallet.ts'
import { byteOrderMark } from '../../../core/lib/csv-line.ts'
import { minorDigits } from '../../../core/money.ts'
import type { WalletVoice } from './draw.ts'

/** Times are those of the reader's zone, named in the heading; amounts have a point, in any language. */
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
  return byteOrderMark + [headings, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
}

/** `2026-11-22 14:03:05`, which spreadsheets in any language read as a time. */
function localTime(ms: number): string {
  const date = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

function decimal(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

function quoted(cell: string): string {
  return /[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
