/** The numbers that a reader of a report looks for first. */
import { soldOutMsOf } from '../../../core/report/compare.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import type { Html } from '../html.ts'
import { section, type Tile, tiles } from './parts.ts'
import type { ReportVoice } from './voice.ts'

export function keyFigures(voice: ReportVoice, report: SaleReport): Html {
  return section(
    voice,
    'report.key',
    tiles([...unitTiles(voice, report), ...moneyTiles(voice, report), ...crowdTiles(voice, report)]),
  )
}

/** Fewer orders of each shopper than this are as good as one. */
const worthSaying = 1.05

function unitTiles(
  { t, number, decimal }: ReportVoice,
  { sale: { kind }, units, shoppers, orders }: SaleReport,
): Tile[] {
  const { offered, sold, left } = units
  const each = orders / shoppers
  return [
    [
      t(`report.sold.${kind}`),
      number(sold),
      offered === null ? t('report.unlimited') : t('report.ofOffered', { n: offered }),
    ],
    ...(left === null ? [] : [[t('report.left'), number(left)] as const]),
    [
      t(`report.shoppers.${kind}`),
      number(shoppers),
      each >= worthSaying ? t('report.ordersEach', { n: decimal(each, 2) }) : undefined,
    ],
  ]
}

function moneyTiles({ t, number, share, money, sums }: ReportVoice, report: SaleReport): Tile[] {
  const { sale, units, payments, packets, coupons } = report
  if (payments !== null) {
    const { paid, payable, revenue } = payments
    return [
      [t('report.paidOrders'), number(paid), t('report.shareOf', { share: share(paid, payable), n: payable })],
      [t('report.revenue'), sums(revenue)],
    ]
  }
  if (packets !== null) return [[t('report.claimedMoney'), money(packets.claimed, sale.currency)]]
  if (coupons === null || coupons.redeemed === null) return []
  return [[t('report.redeemed'), number(coupons.redeemed), share(coupons.redeemed, units.sold)]]
}

function crowdTiles({ t, number, decimal, duration }: ReportVoice, report: SaleReport): Tile[] {
  const { sale, units, demand, pace, crowd } = report
  const out = soldOutMsOf(report)
  const perUnit =
    demand === null || units.sold === 0 ? undefined : t('report.perUnit', { n: decimal(demand.asked / units.sold, 1) })
  return [
    ...(out === null ? [] : [[t(`report.soldOutIn.${sale.kind}`), duration(out)] as const]),
    ...(pace.peakPerSecond === 0 ? [] : [[t('report.peak'), number(pace.peakPerSecond)] as const]),
    ...(demand === null ? [] : [[t('report.requests'), number(demand.asked), perUnit] as const]),
    ...(crowd === null
      ? []
      : [
          [
            t('report.forecast'),
            t('report.forecastRange', { from: crowd.from, to: crowd.to }),
            crowd.came === null ? undefined : t('report.forecastCame', { n: crowd.came }),
          ] as const,
        ]),
  ]
}
