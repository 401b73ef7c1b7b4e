/** What the crowd needs before the stock is touched: the distribution, the gate, and what the gate asks of Redis. */
import { startsAtOnce } from './account-limits.ts'
import { type Need, type Needs, told } from './need.ts'
import {
  asksInBusiestMinute,
  clicksPerSecond,
  countdownsPerSecond,
  type Plan,
  pollPaceOf,
  timeAsksPerSecond,
} from './plan.ts'
import { environmentsFor, gateCommandsPerSecond, gateInstances, sellingCommands } from './rates.ts'

/** An answer with its headers, as a waiting page gets it each time, bytes. */
export const pollBytes = 1000

export function crowdNeeds(
  plan: Plan,
): Pick<Needs, 'distribution-requests' | 'distribution-gigabits' | 'flood'> {
  const { near } = pollPaceOf(plan)
  const looks = Math.ceil(plan.shoppers / near)
  const [more, what] = besideLooks(plan)
  const requests = looks + more
  const asks = asksInBusiestMinute(plan)
  return {
    'distribution-requests': {
      amount: requests,
      formula: `${told(plan.shoppers)} pages look every ${near} s + ${told(more)} ${what}/s`,
    },
    'distribution-gigabits': {
      amount: (requests * pollBytes * 8) / 1e9,
      formula: `${told(requests)} requests/s × ${told(pollBytes)} bytes × 8`,
    },
    flood: {
      amount: plan.officePeople * asks,
      formula: `${told(plan.officePeople)} people × ${asks} requests in ${plan.isFlippedLate ? 'a minute of waiting for the flip' : 'the minute of the start'}`,
    },
  }
}

/** What pages ask for beside the pointer in their busiest second: one thing before the flip, at it, and after the start. */
function besideLooks(plan: Plan): readonly [perSecond: number, what: string] {
  const times = timeAsksPerSecond(plan)
  const countdowns = countdownsPerSecond(plan)
  const clicks = clicksPerSecond(plan)
  if (clicks >= Math.max(times, countdowns)) return [clicks, 'clicks']
  return times >= countdowns ? [times, 'asks for the time'] : [countdowns, 'countdowns']
}

export type EdgeNeeds = Pick<Needs, 'edge-requests' | 'edge-concurrency' | 'edge-starts'>

export function edgeNeeds(plan: Plan): EdgeNeeds {
  const { busiestShare, edgeRunSeconds, edgeColdSeconds } = plan
  const requests = Math.ceil(clicksPerSecond(plan) * busiestShare)
  const warm = environmentsFor(requests, edgeRunSeconds)
  const cold = environmentsFor(requests, edgeColdSeconds)
  return {
    'edge-requests': {
      amount: requests,
      formula: `${told(clicksPerSecond(plan))} clicks/s × ${told(busiestShare * 100)} %`,
    },
    // Lambda starts no more than that at once, so a larger quota would not be used while all are cold.
    'edge-concurrency': {
      amount: Math.max(warm, Math.min(cold, startsAtOnce)),
      formula: `warm: the larger of ${told(requests)}/s × ${edgeRunSeconds} s and ${told(requests)}/s ÷ 10; cold: ${told(requests)}/s × ${edgeColdSeconds} s, at most ${told(startsAtOnce)}`,
    },
    'edge-starts': {
      amount: cold,
      formula: `the first second, when no environment runs: the larger of ${told(requests)} clicks × ${edgeColdSeconds} s and ${told(requests)} ÷ 10`,
    },
  }
}

export function redisNeed(plan: Plan): Need {
  const asking = gateInstances(plan) * gateCommandsPerSecond
  const selling = sellingCommands(plan) / plan.sellSeconds
  return {
    amount: Math.ceil(asking + selling),
    formula: `${told(gateInstances(plan))} instances of the gate × ${told(gateCommandsPerSecond)} + ${told(sellingCommands(plan))} to sell all in ${plan.sellSeconds} s`,
  }
}
