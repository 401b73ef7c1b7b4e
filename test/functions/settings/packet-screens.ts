/** Where a screen, a file, a command or a wallet says another number of red packets than the credits in the table do. */
import { liveLines, salesTable } from '../../../cli/sale/print.ts'
import { formatMoney, majorText } from '../../../core/money.ts'
import { packetIdOf } from '../../../core/packets/claim.ts'
import { wholeOf } from '../../../core/packets/packets.ts'
import { packetReader } from '../../../core/report/rows.ts'
import { withdraw } from '../../../functions/packets/payouts.ts'
import { readWallet } from '../../../functions/packets/wallet.ts'
import { readStory } from '../../../functions/people/shopper-story.ts'
import { duePayouts } from '../../../functions/table/packets/payouts.ts'
import { type Credit, findWallet } from '../../../functions/table/packets/wallets.ts'
import { numbersShown } from '../../../static/client/console/list/number-texts.ts'
import { tilesOf } from '../../../static/client/console/sale/numbers.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'
import type { Won } from './differences.ts'
import { allParts, comparison, liveAndList, reportOf, seriesDifferences, soldOutDifferences } from './screens.ts'

const sum = (credits: readonly { amount: number }[]) => credits.reduce((all, { amount }) => all + amount, 0)

async function creditsOf(own: World, won: readonly Won[]): Promise<(Credit & Pick<Won, 'client'>)[]> {
  const found = await Promise.all(
    won.map(async ({ client }) => {
      const { credits } = await findWallet(own.table.table, client.shopperId)
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
  const [sold, claimed] = [credits.length, sum(credits)]
  const { count, totalAmount: budget } = wholeOf(sale)
  const rest = budget - claimed
  const isArchived = sale.archivedAt !== undefined

  same('live: units', live.orders, { sold, orders: sold })
  same('live: money', live.money, { budget, claimed, left: 0, returned: rest })
  same('list', [row?.sold, row?.left, row?.revenue], [sold, count - sold, claimed])
  const tiles = tilesOf(live)
  same('tiles', [tiles.sold, tiles.claimed, tiles.left, tiles.returned], [sold, claimed, 0, rest])
  const voice = { t: String, locale: () => 'en', money: (minor: number) => String(minor) }
  const shown = numbersShown(voice, sale, row).map(([, value]) => value)
  same('row of the list', shown, [
    String(sold),
    String(count - sold),
    formatMoney({ amount: claimed, currency: sale.currency }, 'en'),
  ])

  const report = await reportOf(own)
  const { units, orders, packets } = report
  // The shards of a split sale have numbers of their own, so the time of its last packet is in the report alone.
  if (sale.shards === 1) await soldOutDifferences(own, { live, report, left: count - sold, hasLost }, same)
  same('report', [units.sold, orders, packets?.claimed, packets?.returned], [sold, sold, claimed, rest])
  const amounts = credits.map(({ amount }) => amount)
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
  const cells =
    salesTable([sale], own.clock.now, row && { [phone]: row })
      .split('\n')[1]
      ?.split(/ {2,}/) ?? []
  same(
    'command “list”',
    [String(sold), money(claimed)].every((cell) => cells.includes(cell)),
    true,
  )
  await seriesDifferences(own, live, [sold, count - sold], same)
  if (!isArchived) same('live: left', live.stock?.available, count - sold)
  return found
}

/**
 * Each winner takes all of the wallet out, and asks again. Empty when wallet, statement and the story for support say
 * what was credited and paid out.
 */
export async function payoutDifferences(own: World, won: readonly Won[]): Promise<string[]> {
  const { found, same } = comparison()
  const { ports } = own
  const payoutTerms = { minimums: { CNY: 1 } }
  for (const { client, ...credit } of await creditsOf(own, won)) {
    const { shopperId } = client
    const { amount, currency, packet } = credit
    const packetId = packetIdOf(phone, packet)
    const readAll = () => readWallet({ ...ports, payoutTerms }, shopperId, { all: true })
    const before = await readAll()
    same(`the balance of ${shopperId}`, before.balances, [{ currency, amount }])
    same(
      `the packets of ${shopperId}`,
      before.credits.map((one) => [one.packetId, one.amount]),
      [[packetId, amount]],
    )

    const asking = { ...ports, payoutTerms, payoutStep: () => 1 }
    const paid = await withdraw(asking, shopperId, currency)
    same(`the payout of ${shopperId}`, paid.kind === 'payout' && paid.payout.amount, amount)
    same(`a second payout of ${shopperId}`, (await withdraw(asking, shopperId, currency)).kind, 'too-little')

    const after = await readAll()
    const lines = (all: readonly { kind: string; amount: number; balance: number }[]) =>
      all.map((one) => `${one.kind} ${majorText(one.amount, currency)} ${one.balance}`)
    const statement = [`payout ${majorText(-amount, currency)} 0`, `credit ${majorText(amount, currency)} ${amount}`]
    same(`the balance of ${shopperId} after the payout`, sum(after.balances), 0)
    same(`the statement of ${shopperId}`, lines(after.statement), statement)
    const story = await readStory(ports, { shopperId, orders: [], mayReadContact: false })
    same(`the story of ${shopperId}`, [sum(story.balances), lines(story.statement)], [0, statement])
  }
  same('payouts that are due', await duePayouts(ports.table), [])
  return found
}
