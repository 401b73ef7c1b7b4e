/** What happens to an order behind the functions: queue, consumers, table; and the firewall, which is a setting as well. */
import { runSeconds } from '../settings/arithmetic.ts'
import type { StageSettings } from '../settings/stage.ts'
import { consumptions } from '../system/queues.ts'
import type { Limits } from './limit.ts'
import type { Plan } from './plan.ts'
import { rolesOf } from './roles.ts'

/** Concurrency that a queue's consumer has at once; more follow by the minute (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html). */
const consumersAtOnce = 5

/** Messages received and not yet deleted (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html). */
const inFlightAtMost = 120_000

/** Half the writes that one item takes: a transaction writes it twice (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). */
const transactionsOnOneItem = 500

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const writesOnOnePart = 1000

export function orderLimits(plan: Plan, settings: StageSettings): Limits {
  const file = `infra/settings/${settings.name}.ts`
  const { queue } = rolesOf(plan)
  const { batchSize, consumer } = consumptions[queue]
  const writers = Math.min(settings.consumers[queue], consumersAtOnce)
  const { table, firewall } = settings
  const itsWork = `What was promised waits in the queue ${queue}; nobody loses anything.`
  return {
    'queue-rate': {
      name: `${queue}/s that ${consumer} writes`,
      amount: Math.floor((writers * batchSize) / runSeconds.transaction),
      owner: 'settings',
      follows: 'stock',
      source: `consumers.${queue}, of which ${consumersAtOnce} start at once`,
      remedy: () =>
        writers < consumersAtOnce
          ? `Raise consumers.${queue} in ${file} to ${consumersAtOnce} or more and deploy.`
          : `Nothing to set: no more than ${consumersAtOnce} consumers start at once, more follow by the minute.`,
      consequence: itsWork,
    },
    'queue-in-flight': {
      name: `messages of ${queue} in flight`,
      amount: inFlightAtMost,
      owner: 'nobody',
      follows: 'stock',
      source:
        'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html',
      remedy: () => `Lower consumers.${queue} in ${file}.`,
      consequence: itsWork,
    },
    'cap-transactions': {
      name: "transactions/s on the sale's cap",
      amount: transactionsOnOneItem,
      owner: 'nobody',
      follows: 'stock',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html',
      remedy: () => `Lower consumers.${queue} in ${file}: each writes one transaction at a time.`,
      consequence: 'Transactions are cancelled and tried again.',
    },
    'table-writes': {
      name: 'table writes/s',
      amount: table.warmWritesPerSecond,
      owner: 'settings',
      follows: 'stock',
      source: 'table.warmWritesPerSecond',
      remedy: (ask) => `Set table.warmWritesPerSecond to ${ask} in ${file} and deploy a day before.`,
      consequence: itsWork,
    },
    'table-reads': {
      name: 'table reads/s',
      amount: table.warmReadsPerSecond,
      owner: 'settings',
      follows: 'stock',
      source: 'table.warmReadsPerSecond',
      remedy: (ask) => `Set table.warmReadsPerSecond to ${ask} in ${file} and deploy a day before.`,
      consequence: 'Winners see what they won later than they could.',
    },
    'table-part': {
      name: 'writes/s on the busiest part',
      amount: writesOnOnePart,
      owner: 'nobody',
      follows: 'stock',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
      remedy: () => 'Sell in several windows (slots): the orders of one second are too many for one sale.',
      consequence: itsWork,
    },
    ...(firewall !== undefined && {
      flood: {
        name: 'requests a minute from one office',
        amount: firewall.floodLimit,
        owner: 'settings',
        follows: 'crowd',
        source: 'firewall.floodLimit',
        remedy: (ask) => `Set firewall.floodLimit to ${ask} in ${file} and deploy an hour before.`,
        consequence: 'Everybody in that office is shut out until it calms down.',
      },
    }),
  }
}
