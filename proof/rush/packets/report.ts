/** The report of a rush for red packets: claims, credits, their times and the load. */
import { counted } from '../../../core/lib/text.ts'
import { formatMoney } from '../../../core/money.ts'
import type { Percentiles } from '../../bench/statistics.ts'
import type { Load } from '../load.ts'
import { fullReport, loadFacts, percentilesText, shownFact } from '../report-lines.ts'
import type { CrowdFacts, Shown } from '../run-round.ts'
import type { PacketVerdict } from './verdict.ts'

export type PacketResult = CrowdFacts & {
  saleId: string
  seed: number
  shoppers: number
  packets: number
  totalAmount: number
  currency: string
  verdict: PacketVerdict
  /** From the claim to the credit, for every credit. */
  creditedAfter: Percentiles | undefined
  /** From the 200 to the credit in the winner's own wallet, for a sample of winners. */
  visible: Shown
  load: Load
}

export function packetRushReport(result: PacketResult): string {
  const { verdict, creditedAfter, visible, load, currency } = result
  const { money } = verdict
  const show = (amount: number) => formatMoney({ amount, currency }, 'en')
  return fullReport(result, [
    ['claimed', `${verdict.claimed} of ${result.packets} (expected ${verdict.expected})`],
    ['credited', `${verdict.credited}, ${show(money.credited)}`],
    ['money', `${show(money.claimed)} claimed + ${show(money.left)} left, of ${show(money.total)}`],
    ['overpaid', show(verdict.overpaid)],
    ['lost', String(verdict.lost)],
    ['stranded', String(verdict.stranded)],
    ['gave up', String(result.gaveUp)],
    ['unanswered', `${counted(verdict.unanswered, 'credit')} after a lost answer`],
    ['claims', `${Math.round(result.requestsPerSecond)}/s for ${result.seconds.toFixed(1)} s`],
    ['credit written', creditedAfter === undefined ? '-' : `${percentilesText(creditedAfter)} after its claim`],
    ['credit visible', shownFact(visible, '200')],
    ...loadFacts(load, 'claim'),
  ])
}
