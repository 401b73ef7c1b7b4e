/** Commands that watch a sale, find, ship, refund and place its orders, and repair it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { ShipmentLine } from '../../core/api/shipment-lines.ts'
import { counted } from '../../core/lib/text.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { isRefused, readShipmentFile, refusedFirst, sendShipments } from '../../core/orders/shipment-file.ts'
import { noPace, updatePace } from '../../core/sale/live-pace.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { Context } from './context.ts'
import { readCsvFile } from './csv-file.ts'
import { readWhole } from './definition.ts'
import {
  auditTable,
  findingsLines,
  foundOrders,
  liveLines,
  placedLine,
  recoveryLine,
  refundLine,
  shippedTable,
} from './print.ts'

export function addOrderCommands(program: Command, context: Context): void {
  addReading(program, context)
  addRepair(program, context)
  addShipping(program, context)
}

type OrderFlags = { variant?: string; key?: string }
type ShipFlags = { file: string; dryRun?: true }

function addShipping(program: Command, { ports, writer, reader, show }: Context): void {
  program
    .command('ship <saleId>')
    .description('mark orders as shipped or delivered, with their tracking numbers')
    .requiredOption('--file <csv>', 'CSV file with the columns orderNumber or orderId, carrier, tracking, link, status')
    .option('--dry-run', 'say what each line would do, and change nothing')
    .action(async (saleId: string, { file, dryRun }: ShipFlags) => {
      const { sendable, refused, ignored } = await readCsvFile(file, readShipmentFile)
      const control = await (dryRun ? reader() : writer())
      const step = ports.startStep('orders', sendable.length)
      const send = (some: readonly ShipmentLine[]) =>
        retryOnce(() => control.ship({ saleId, body: { lines: some, ...(dryRun && { dryRun }) } }))
      const sent = await sendShipments(sendable, send, (done) => step.to(done)).finally(() => step.end())
      const lines = refusedFirst([...refused, ...sent])
      show({ lines, ignored }, shippedTable)
      const failed = lines.filter(isRefused).length
      if (failed > 0) throw new RangeError(`${failed} of ${counted(lines.length, 'line')} cannot be imported`)
    })
}

function addReading(program: Command, { reader, show }: Context): void {
  program
    .command('live <saleId>')
    .description(
      'live numbers: phase, stock, orders and queue (the money of red packets, the databases of a split stock)',
    )
    .option('--watch', 'refresh every second until stopped')
    .action(async (saleId: string, { watch }: { watch?: true }) => {
      const control = await reader()
      let pace = noPace
      do {
        const live = await control.getLive({ saleId })
        pace = updatePace(pace, live)
        show(live, (shown) => liveLines(shown, pace))
      } while (watch && (await sleep(1000, true)))
    })
  program
    .command('find <orderOrShopper>')
    .description('an order by its number, or the orders of a shopper by email address or id: status, payments, history')
    .option('--name', 'the orders that are sent to a name with these words, some at a time')
    .option('--after <next>', 'the following page')
    .action(async (text: string, { name, after }: { name?: true; after?: string }) => {
      const body = { ...(name ? { name: text } : { find: text }), after }
      show(await (await reader()).findOrders({ body }), foundOrders)
    })
  program
    .command('audit')
    .description('activity log of one day')
    .option('--day <yyyy-mm-dd>', 'UTC date (default: today)')
    .action(async ({ day }: { day?: string }) =>
      show((await (await reader()).getAudit({ query: day === undefined ? {} : { day } })).entries, auditTable),
    )
}

/** Returns the id of the order with that number; another text is returned as it is. */
async function orderIdOf(control: ControlClient, order: string): Promise<string> {
  if (parseOrderNumber(order) === undefined) return order
  const [found] = (await control.findOrders({ body: { find: order } })).orders
  if (found === undefined) throw new RangeError(`there is no order ${order}`)
  return found.orderId
}

function addRepair(program: Command, { writer, show }: Context): void {
  program
    .command('reconcile <saleId>')
    .description('compare Redis with the orders and repair what differs')
    .action(async (saleId: string) => show(await (await writer()).reconcile({ saleId }), findingsLines))
  program
    .command('recover <saleId>')
    .description('rebuild a sale in Redis from its orders')
    .action(async (saleId: string) => show(await (await writer()).recover({ saleId }), recoveryLine))
  program
    .command('refund <order>')
    .description('refund or cancel an order; its units go back on sale unless it was shipped')
    .action(async (order: string) => {
      const control = await writer()
      show(await control.refund({ orderId: await orderIdOf(control, order) }), refundLine)
    })
  program
    .command('settle-refund <order>')
    .description('mark a refund that the bank returned as paid to the shopper by another way')
    .action(async (order: string) => {
      const control = await writer()
      show(await control.settleRefund({ orderId: await orderIdOf(control, order) }), refundLine)
    })
  program
    .command('order <saleId> <shopperId> <quantity>')
    .description('place an order for a shopper')
    .option('--variant <id>', 'of which variant, in a sale that has some')
    .option('--key <key>', 'repeats the order that was placed with the same key (default: a new order)')
    .action(async (saleId: string, shopperId: string, quantity: string, { variant, key }: OrderFlags) => {
      const order = { shopperId, quantity: readWhole(quantity), variant, key: key ?? randomUUID() }
      const control = await writer()
      const placed = await retryOnce(() => control.reserveOrder({ saleId, body: order }))
      show(placed, placedLine)
      if (placed.orderId === null) throw new RangeError('no order was placed')
    })
  program
    .command('redrive')
    .description('retry all dead letters')
    .action(async () => show(await (await writer()).redrive(), ({ moved, left }) => `${moved} retried, ${left} left`))
}
