/**
 * What the measured rush would cost in the cloud, in US dollars, by the prices of the US and without free tiers. Pages and
 * pictures are not part of a rush.
 */

import { priceBooks, redisPrices } from '../../infra/prices.ts'
import { tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'

const prices = priceBooks.us

/** Billed events, as counted during the rush. */
export type Traffic = {
  /** Requests through the distribution. */
  requests: number
  /** Requests that ran the gate. */
  gateRuns: number
  /** Requests that ran a function behind it. */
  functionRuns: number
  /** Redis commands, those inside scripts included: they are billed too. */
  redisCommands: number
}

export type Usage = Traffic & { ordersWritten: number }

/**
 * Assumed, not measured in the cloud: one run of the gate or a function lasts 30 ms with 256 MB.
 */
const gbSecondsPerRun = 0.03 * 0.25

/** Sent, received and deleted ten messages at a time. */
const queueCallsPerMessage = 0.3

type TrafficCost = {
  cdn: number
  gate: number
  functions: number
  redis: number
}

export type RushCost = TrafficCost & { orders: number; total: number }

export function costOf({ ordersWritten, ...traffic }: Usage): RushCost {
  const cost = costOfTraffic(traffic)
  const orders = ordersWritten * costOfMessage(tableWritesPerOrder)
  return { ...cost, orders, total: sum(cost) + orders }
}

function costOfTraffic({ requests, gateRuns, functionRuns, redisCommands }: Traffic): TrafficCost {
  return {
    cdn: requests * prices.cdn.request,
    gate: gateRuns * (prices.gate.run + gbSecondsPerRun * prices.gate.gbSecond),
    functions: functionRuns * (prices.functions.run + gbSecondsPerRun * prices.functions.gbSecond),
    redis: redisCommands * redisPrices.command,
  }
}

function costOfMessage(tableWrites: number): number {
  return queueCallsPerMessage * prices.queue.call + tableWrites * prices.table.write
}

const sum = ({ cdn, gate, functions, redis }: TrafficCost) => cdn + gate + functions + redis
