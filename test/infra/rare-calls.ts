/** Calls that no journey makes reliably, with the reason why their rights are needed all the same. */

import { joined } from '../../core/lib/fold.ts'
import { functions } from '../../options/registry/functions.ts'

/** The functions that call, and what they call. */
type Rare = { by: readonly string[]; calls: readonly string[] }

export const erasedOfPerson = ['CONTACT#', 'DELIVERY#', 'MAIL#', 'BUYER#', ...joined(functions, 'erasedPrefixes')]

const countdowns = ['site/sales/{id}/countdown.{id}.js', 'site/sales/{id}/countdown.{id}.json']

const reasons: Readonly<Record<string, Rare>> = {
  'a countdown that is missing is written before the pointer that names it': {
    by: ['write-orders', 'order-changes', 'payments', 'cancel-unpaid'],
    calls: ['s3:ListBucket site', ...countdowns.map((object) => `s3:PutObject ${object}`)],
  },
  'a payment that fails after the time to pay ends its order, whose units return': {
    by: ['payments'],
    calls: [
      'dynamodb:BatchWriteItem table',
      's3:PutObject site/sales/{id}/current.json',
      ...countdowns.map((object) => `s3:GetObject ${object}`),
    ],
  },
  'units of a sale without any return with a payment that fails': {
    by: ['payments'],
    calls: ['sqs:SendMessage queue/wake'],
  },
  'a reminder whose sale is paused or moved just before its email leaves waits again': {
    by: ['mail'],
    calls: ['dynamodb:UpdateItem table REMINDER#*'],
  },
  'a timer that cannot be read is rejected': { by: ['cancel-unpaid'], calls: ['sqs:SendMessage queue/deadlines-dlq'] },
  'orders that could not be written come again soon': {
    by: ['write-orders'],
    calls: ['sqs:ChangeMessageVisibility queue/orders'],
  },
  'timers that could not be handled come again soon': {
    by: ['cancel-unpaid'],
    calls: ['sqs:ChangeMessageVisibility queue/deadlines'],
  },
  'dead letters are sent again, and those that stay are shown again': {
    by: ['control', 'reconcile'],
    calls: ['deadlines', 'orders'].flatMap((queue) => [
      `sqs:SendMessage queue/${queue}`,
      ...['GetQueueAttributes', 'ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility'].map(
        (action) => `sqs:${action} queue/${queue}-dlq`,
      ),
    ]),
  },
  'a crash came between the end of an order and the return of its units, and answers were noted, or cut the deletion of a sale off':
    {
      by: ['reconcile'],
      calls: ['dynamodb:BatchWriteItem table'],
    },
  'all that a person left is erased': {
    by: ['delivery'],
    calls: erasedOfPerson
      .map((prefix) => `dynamodb:BatchWriteItem table ${prefix}*`)
      .concat(['dynamodb:UpdateItem table BUYER#*']),
  },
  'a sale is deleted while it is published': {
    by: ['reconcile'],
    calls: ['s3:DeleteObject site/sales/{id}/current.json', 's3:DeleteObject site/sales/{id}/index.html'],
  },
  'a deployment changed the pages, or the publishing of a changed brand was cut off': {
    by: ['reconcile'],
    calls: ['brand/{id}', ...['accessibility', 'customer', 'orders', 'wallet'].map((page) => `${page}/index.html`)].map(
      (page) => `s3:PutObject site/${page}`,
    ),
  },
  'a marketer asks for an upload that has ended': { by: ['pictures'], calls: ['s3:ListBucket uploads'] },
}

/** Returns lines `<function> <action> <resource>`. */
export const rareCalls: readonly string[] = Object.values(reasons).flatMap(({ by, calls }) =>
  by.flatMap((name) => calls.map((call) => `${name} ${call}`)),
)
