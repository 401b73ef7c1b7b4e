// Compares what the crowd was told (report.json) with what the sale says of itself, and exits with 1 where they differ.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const { SLUICE_URL: url, SLUICE_TOKEN: token, SALE: saleId } = process.env
if (!url || !token || !saleId) throw new Error('set SLUICE_URL, SLUICE_TOKEN (of a marketer) and SALE')
const { counters, summaries } = JSON.parse(readFileSync(process.argv[2] ?? 'report.json', 'utf8')).aggregate
const counted = (name) => counters[`sluice.${name}`] ?? 0

/** The live numbers of the sale, once no order is on its way; after two minutes as they are then. */
async function readLive() {
  for (let tries = 0; ; tries += 1) {
    const path = `/api/control/sales/${encodeURIComponent(saleId)}/live`
    const answer = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`the shop answered ${answer.status}: ${await answer.text()}`)
    const live = await answer.json()
    if ((live.drift === 0 && live.outbox === 0) || tries === 60) return live
    await sleep(2000)
  }
}

const { sale, orders, drift } = await readLive()
const isLimited = sale.stock >= 0
const [won, written] = [counted('won'), counted('order.written')]
const rows = [
  [
    'units sold, at most the stock',
    isLimited ? `${orders.sold} of ${sale.stock}` : orders.sold,
    !isLimited || orders.sold <= sale.stock,
  ],
  ['each 202 has an order', `${written} of ${won}`, written === won],
  ['each such order is one of the sale', `${written} of ${orders.sold}`, written <= orders.sold],
  ['units in Redis without an order', drift ?? 'unknown', drift === 0],
]
for (const [what, figure, holds] of rows) console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what}: ${figure}`)

console.log(`\n${counted('shoppers')} shoppers`)
for (const [name, count] of Object.entries(counters).sort())
  if (/^sluice\.(?:won|refused|gone|unsure|not-begun|order)/.test(name))
    console.log(`${String(count).padStart(9)}  ${name.slice(7)}`)
for (const name of ['answer', 'order']) {
  const times = summaries[`sluice.${name}_ms`]
  if (times) console.log(`from the click to the ${name}: median ${times.median} ms, p99 ${times.p99} ms`)
}
process.exitCode = rows.every(([, , holds]) => holds) ? 0 : 1
