/** Finds screens, files, commands and wallets that show other numbers of red packets than the credits in the table. */
import { liveLines } from '../../../cli/sale/print.ts'
import { tilesOf } from '../../../console/sale/numbers.ts'
import { formatMoney } from '../../../core/money.ts'
import { packetIdOf } from '../../../core/packets/packet.ts'
import { allPackets } from '../../../core/packets/packets.ts'
import { packetReader } from '../../../core/report/rows.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { readShopper } from '../../../functions/people/find-orders.ts'
import { type Credit, findCredits } from '../../../functions/table/packets/wallets.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'
import { comparison, sum, type Won } from './differences.ts'
import {
  allParts,
  cellsOfCommand,
  liveAndList,
  reportOf,
  rowShown,
  seriesDifferences,
  soldOutDifferences,
} from './screens.ts'

async function creditsOf(own: World, won: readonly Won[]): Promise<(Credit & Pick<Won, 'client'>)[]> {
  const found = await Promise.all(
    won.map(async ({ client }) => {
      const credits = await findCredits(own.table.table, client.shopperId)
      return credits.filter(({ saleId }) => saleId === phone).map((credit) => ({ ...credit, client }))
    }),
  )
  return found.flat()
}

/** Empty when all agree. For red packets at rest, whose budget is closed. */
export async function packetDifferences(own: World, won: readonly Won[], hasLost: boolean): Promise<string[]> {
  const { found, same } = comparison()
  const credits = await creditsOf(own, won)
  const { live, numbers: row } = await liveAndList(own)
  const { sale } = live
  const amounts = credits.map(({ amount }) => amount)
  const [sold, claimed] = [credits.length, sum(amounts)]
  const { count, totalAmount: budget } = allPackets(sale)
  const rest = budget - claimed
  const isArchived = sale.archivedAt !== undefined

  same('live: units', live.orders, { sold, orders: sold })
  same('live: money', live.money, { budget, claimed, left: 0, returned: rest })
  same('list', [row?.sold, row?.left, row?.revenue], [sold, count - sold, claimed])
  const tiles = tilesOf(live)
  same('tiles', [tiles.sold, tiles.claimed, tiles.left, tiles.returned], [sold, claimed, 0, rest])
  same('row of the list', rowShown(sale, row), [String(sold), String(count - sold), String(claimed)])

  const report = await reportOf(own)
  const { units, orders, packets } = report
  await soldOutDifferences(own, { live, report, left: count - sold, hasLost }, same)
  same('report', [units.sold, orders, packets?.claimed, packets?.returned], [sold, sold, claimed, rest])
  same('report: extremes', [packets?.smallest, packets?.largest], [Math.min(...amounts), Math.max(...amounts)])

  const rows: object[] = []
  const read = packetReader((one) => rows.push({ shopperId: one.shopperId, amount: one.amount }))
  await allParts(own, live, read)
  const byShopper = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
  const wanted = credits.map(({ client: { shopperId }, amount }) => ({ shopperId, amount }))
  same('packets.csv', rows.toSorted(byShopper), wanted.toSorted(byShopper))

  const money = (amount: number) => formatMoney({ amount, currency: sale.currency }, 'en')
  const spoken = `${sold} red packets credited · ${money(claimed)} of ${money(budget)} credited, ${money(rest)} returned`
  same('command “live”', liveLines(live).includes(` · ${spoken} · `), true)
  const cells = cellsOfCommand(own, sale, row)
  const isListed = [String(sold), money(claimed)].every((cell) => cells.includes(cell))
  same('command “list”', isListed, true)
  await seriesDifferences(own, live, [sold, count - sold], same)
  if (!isArchived) same('live: left', live.stock?.available, count - sold)
  return found
}

/** Empty when the wallet of each winner, and the page for support, say what was credited. */
export async function walletDifferences(own: World, won: readonly Won[]): Promise<string[]> {
  const { found, same } = comparison()
  const { ports } = own
  for (const { client, ...credit } of await creditsOf(own, won)) {
    const { shopperId } = client
    const { amount, currency, packet, creditedAt } = credit
    const { balances, credits } = await readWallet(ports, shopperId, { all: true })
    same(`the balance of ${shopperId}`, balances, [{ currency, amount }])
    const shown = credits.map((one) => [one.packetId, one.amount, one.balance])
    same(`the packets of ${shopperId}`, shown, [[packetIdOf(phone, packet), amount, amount]])
    const support = await readShopper(ports, { shopperId, orders: [], mayReadContact: false })
    same(`what support is shown of ${shopperId}`, support.credits, [
      { at: creditedAt, amount, currency, balance: amount },
    ])
  }
  return found
}
