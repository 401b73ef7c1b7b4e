/** What the functions of a stage may run at once: their own share of the account, and what is started beforehand. */
import type { Quotas, StageSettings } from '../settings/stage.ts'
import type { FunctionName } from '../system/functions.ts'
import { startsAtOnce, startsSource } from './account-limits.ts'
import type { Limit, Limits } from './limit.ts'
import type { Plan } from './plan.ts'
import { putReady } from './ready.ts'
import { rolesOf } from './roles.ts'

/** What all functions of a stage have reserved together. */
export function reservedInAll({ functions }: Pick<StageSettings, 'functions'>): number {
  return Object.values(functions).reduce((sum, { reserved = 0 }) => sum + reserved, 0)
}

export function functionLimits(plan: Plan, settings: StageSettings, quotas: Quotas): Limits {
  const file = `infra/settings/${settings.name}.ts`
  const { seller, looked } = rolesOf(plan)
  const shared = quotas.functionConcurrency - reservedInAll(settings)
  const concurrency = (name: FunctionName, consequence: string): Limit => {
    const { reserved } = settings.functions[name]
    return {
      name: `concurrency of ${name}`,
      amount: Math.max(0, reserved ?? shared),
      owner: reserved === undefined ? 'quota' : 'settings',
      follows: 'stock',
      source: reserved === undefined ? 'what the account has unreserved' : `functions.${name}.reserved`,
      remedy: (ask) =>
        reserved === undefined
          ? `Nothing is reserved for it, it shares what the region has: see account-concurrency.`
          : settings.sells.includes(plan.kind)
            ? `Set functions.${name}.reserved to ${ask} in ${file} and deploy.`
            : `Add '${plan.kind}' to what ${settings.name} sells in ${file} and deploy: ${name} needs ${ask}.`,
      consequence,
    }
  }
  const { provisioned } = settings.functions[seller]
  const putThere = (environments: string) =>
    settings.keepReady
      ? 'deploy'
      : `put them there before the sale: ${putReady(settings, seller, environments)}`
  return {
    'seller-concurrency': concurrency(
      seller,
      'Clicks that were let through are throttled; shoppers ask again.',
    ),
    ...(provisioned !== undefined && {
      'seller-ready': {
        name: `ready environments of ${seller}`,
        amount: provisioned,
        owner: 'settings',
        follows: 'stock',
        source: `functions.${seller}.provisioned`,
        remedy: (ask) => `Set functions.${seller}.provisioned to ${ask} in ${file}, and ${putThere(ask)}.`,
        consequence: 'The first clicks wait for an environment to start, half a second or so.',
      },
    }),
    'seller-starts': {
      name: `starts of ${seller}`,
      amount: startsAtOnce,
      owner: 'nobody',
      follows: 'stock',
      source: startsSource,
      remedy: (ask) =>
        `${ask} are to start: have more of them ready beforehand, functions.${seller}.provisioned in ${file}; then ${putThere('<n>')}.`,
      consequence: 'Clicks that were let through are throttled; shoppers ask again.',
    },
    'look-concurrency': concurrency(looked, 'Winners see what they won later than they could.'),
    ...(plan.kind === 'goods' && {
      'payment-concurrency': concurrency('payments', 'The payment provider sends its messages again later.'),
    }),
  }
}
