/** Who may do what: the rights of each function, and with each right the variable that says where. */

import type { FunctionName } from '../system/functions.ts'
import type { SaleFunction } from './constructs/sale-function.ts'
import { grantGate, grantPayments, grantStock, grantWebhook } from './constructs/secrets.ts'
import type { DataStack } from './stacks/data.ts'

/** What each function may do and reach, and no more: the order is that of a click. */
export function rightsOf(stage: string, data: DataStack): Record<FunctionName, (fn: SaleFunction) => void> {
  const { table, site } = data
  const { orders, claims, deadlines } = data.queues
  const bothStores = (fn: SaleFunction) => {
    grantStock(stage, fn)
    grantGate(stage, fn)
  }
  const changesOrders = (fn: SaleFunction) => {
    bothStores(fn)
    table.grantChange(fn)
    site.grantTell(fn)
  }
  const looksAfterSales = (fn: SaleFunction) => {
    bothStores(fn)
    table.grantChange(fn)
    for (const queue of [orders, claims, deadlines]) queue.grantLookAfter(fn)
    grantPayments(stage, fn)
  }
  return {
    reserve(fn) {
      bothStores(fn)
      orders.grantSend(fn)
    },
    claim(fn) {
      bothStores(fn)
      claims.grantSend(fn)
    },
    'write-orders'(fn) {
      grantStock(stage, fn)
      table.grantAdd(fn)
      orders.grantBury(fn)
      deadlines.grantSend(fn)
      site.grantTell(fn)
    },
    'credit-wallets'(fn) {
      grantStock(stage, fn)
      table.grantAdd(fn)
      claims.grantBury(fn)
      site.grantTell(fn)
    },
    orders(fn) {
      grantStock(stage, fn)
      table.grantRead(fn)
    },
    'order-changes'(fn) {
      changesOrders(fn)
      grantPayments(stage, fn)
    },
    wallet(fn) {
      table.grantQuery(fn)
    },
    payments(fn) {
      changesOrders(fn)
      grantPayments(stage, fn)
      grantWebhook(stage, fn)
    },
    'cancel-unpaid'(fn) {
      changesOrders(fn)
      deadlines.grantSend(fn)
      deadlines.grantBury(fn)
    },
    /** It asks from outside, as anybody can. */
    canary() {},
    reconcile(fn) {
      looksAfterSales(fn)
      site.grantPublish(fn)
    },
    control(fn) {
      looksAfterSales(fn)
      table.grantAll(fn)
      site.grantWithdraw(fn)
    },
  }
}
