/** How the sale went, in one sentence. */
import type { SaleReport } from '../../../../core/report/sale-report.ts'
import { durationText } from '../../../pages/duration-text.ts'
import type { Speaker } from '../lib/kind-words.ts'

export function headlineOf(voice: Speaker, report: SaleReport): string {
  const { sale, units } = report
  const lead = leadOf(voice, report)
  if (units.sold === 0) return voice.t('report.headline', { lead, rest: voice.t(`report.none.${sale.kind}`) })
  const parts = [soldText(voice, report), backText(voice, report), tailOf(voice, report)]
  const rest = parts
    .filter((part) => part !== undefined)
    .reduce((first, next) => voice.t('report.headline.and', { first, next }))
  return voice.t('report.headline', { lead, rest })
}

function soldText({ t }: Speaker, { sale: { kind }, units, shoppers }: SaleReport): string {
  const { sold, offered } = units
  if (offered !== null) return t(`report.core.${kind}`, { sold, offered, shoppers })
  // Red packets always have a number.
  return t(kind === 'coupon' ? 'report.unlimited.coupon' : 'report.unlimited.goods', { sold, shoppers })
}

/** Where a sale sold out and has units left, they are those of orders that ended. */
function backText({ t }: Speaker, { sale, pace, units }: SaleReport): string | undefined {
  const wasOut = (pace.rounds.at(-1)?.soldOutMs ?? null) !== null
  return wasOut && units.left !== null && units.left > 0
    ? t(`report.tail.back.${sale.kind}`, { n: units.left })
    : undefined
}

function leadOf({ t }: Speaker, { sale, phase, pace, units, madeAt }: SaleReport): string {
  const { rounds } = pace
  const outMs = rounds.map(({ soldOutMs }) => soldOutMs)
  const [first] = outMs
  const isWhole = rounds.length === Math.max(1, sale.windows.length)
  if (isWhole && rounds.length === 1 && first !== null && first !== undefined) {
    return t(`report.lead.out.${sale.kind}`, { time: durationText(t, first) })
  }
  if (isWhole && !outMs.includes(null)) return t('report.lead.allOut', { n: rounds.length })
  if (phase === 'ended') return t(sale.epoch === 0 ? 'report.lead.never' : 'report.lead.ended')
  const isBefore = madeAt < (rounds[0]?.endsAt ?? sale.endsAt) && units.sold === 0
  const isUpcoming = (phase === 'draft' || phase === 'scheduled') && isBefore
  return t(isUpcoming ? 'report.lead.upcoming' : 'report.lead.running')
}

function tailOf({ t, money }: Speaker, report: SaleReport): string | undefined {
  const { payments, packets, coupons, sale } = report
  if (payments !== null) {
    return t('report.tail.paid', { paid: payments.paid, money: money(payments.revenue, sale.currency) })
  }
  if (packets !== null) {
    const [claimed, budget] = [packets.claimed, packets.budget].map((sum) => money(sum, sale.currency))
    return t('report.tail.money', { money: claimed ?? '', budget: budget ?? '' })
  }
  if (coupons === null || coupons.redeemed === null) return undefined
  return t('report.tail.redeemed', { n: coupons.redeemed })
}
