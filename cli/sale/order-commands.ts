/** Commands that watch a sale, export its orders, and repair it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Context } from './context.ts'
import { writeCoupons } from './coupons.ts'
import { auditTable, findingsLines, liveLine, recoveryLine, refundLine } from './print.ts'

export function addOrderCommands(program: Command, context: Context): void {
  addReading(program, context)
  addRepair(program, context)
}

function addReading(program: Command, { around, reader, show }: Context): void {
  program
    .command('live <saleId>')
    .description('phase, stock, orders and queue; for red packets also the money')
    .option('--watch', 'every second, until stopped')
    .action(async (saleId: string, { watch }: { watch?: true }) => {
      const control = await reader()
      do show(await control.live(saleId), liveLine)
      while (watch && (await sleep(1000, true)))
    })
  program
    .command('orders <saleId>')
    .description('all written orders as CSV')
    .action(async (saleId: string) => around.print((await (await reader()).ordersCsv(saleId)).trimEnd()))
  program
    .command('coupons <saleId>')
    .description('all coupon codes of a sale as CSV')
    .option('--out <file>', 'write them to this file (default: standard output)')
    .action(async (saleId: string, { out }: { out?: string }) => {
      await writeCoupons(await reader(), saleId, out, around)
    })
  program
    .command('audit')
    .description('the audit log of a day')
    .option('--day <yyyy-mm-dd>', 'the UTC day (default: today)')
    .action(async ({ day }: { day?: string }) => show(await (await reader()).audit(day), auditTable))
}

function addRepair(program: Command, { changer, show }: Context): void {
  program
    .command('reconcile <saleId>')
    .description('compare Redis with the orders and repair differences')
    .action(async (saleId: string) => show(await (await changer()).reconcile(saleId), findingsLines))
  program
    .command('recover <saleId>')
    .description('rebuild a sale that Redis has lost from its orders')
    .action(async (saleId: string) => show(await (await changer()).recover(saleId), recoveryLine))
  program
    .command('refund <orderId>')
    .description('cancel an order: return its units to the sale and its money to the shopper')
    .action(async (orderId: string) => show(await (await changer()).refund(orderId), refundLine))
  program
    .command('redrive')
    .description('send dead letters to their queues again')
    .action(async () =>
      show(await (await changer()).redrive(), ({ moved, left }) => `${moved} sent again, ${left} left`),
    )
}
