/** What happens to an order behind the functions: queue, consumers, table; and the firewall, which is a setting as well. */
import type { StageSettings } from '../settings/stage.ts'
import type { Limits } from './limit.ts'
import type { Plan } from './plan.ts'
import { writesOfOneSale, writingFloorSeconds } from './rates.ts'
import { rolesOf } from './roles.ts'

/** Messages received and not yet deleted (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html). */
const inFlightAtMost = 120_000

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const writesOnOnePart = 1000

export function orderLimits(plan: Plan, settings: StageSettings): Limits {
  const file = `infra/settings/${settings.name}.ts`
  const { queue } = rolesOf(plan)
  const { table, firewall } = settings
  const itsWork = `What was promised waits in the queue ${queue}; nobody loses anything.`
  return {
    'queue-rate': {
      name: `${queue}/s written for one sale`,
      amount: writesOfOneSale(plan),
      owner: 'nobody',
      follows: 'stock',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html',
      remedy: () =>
        `Nothing to set: the transactions of a sale share its one cap item, so more writers do not help. Let the stock take ${Math.ceil(writingFloorSeconds(plan))} s (--sell-seconds), or sell it as several sales.`,
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
      remedy: () => 'Sell in several windows (windows): the orders of one second are too many for one sale.',
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
