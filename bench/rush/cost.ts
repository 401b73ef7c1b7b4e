/**
 * What the measured rush would cost in the cloud. Public list prices for us-east-1 (November 2026) in US
 * dollars, free tiers not counted. Pages and pictures are not part of a rush.
 */

import { fullGroup } from '../../functions/claim-life/credit.ts'

/** What a crowd asks for that is billed by the piece, as counted during the rush. */
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

const perMillion = 1 / 1_000_000

const prices = {
  request: 1.0 * perMillion,
  gateRun: 0.6 * perMillion,
  gateGbSecond: 0.00005001,
  functionRun: 0.2 * perMillion,
  functionGbSecond: 0.0000133334,
  redisCommand: 2.0 * perMillion,
  queueCall: 0.4 * perMillion,
  tableWrite: 0.625 * perMillion,
}

/** Assumed, for nothing here has run in the cloud: one run of the gate or a function lasts 30 ms with 256 MB. */
const gbSecondsPerRun = 0.03 * 0.25

/** Sent, received and deleted ten messages at a time. */
const queueCallsPerMessage = 0.3

/** In a transaction every write counts twice: the order, its buyer's total; and once its entry in the index. */
const tableWritesPerOrder = 5

/**
 * Twice each: the credit, the balance, the packet; and the share of the cap, which is written once for a transaction. Few
 * claims at a time make it more: up to 2 for one alone.
 */
const tableWritesPerClaim = 2 * (3 + 1 / fullGroup)

type TrafficCost = {
  cdn: number
  gate: number
  functions: number
  redis: number
}

export type Cost = TrafficCost & { orders: number; total: number }

export type ClaimCost = TrafficCost & { claims: number; total: number }

export function costOf({ ordersWritten, ...traffic }: Usage): Cost {
  const cost = costOfTraffic(traffic)
  const orders = ordersWritten * costOfMessage(tableWritesPerOrder)
  return { ...cost, orders, total: sum(cost) + orders }
}

export function costOfClaims({
  claimsCredited,
  ...traffic
}: Traffic & { claimsCredited: number }): ClaimCost {
  const cost = costOfTraffic(traffic)
  const claims = claimsCredited * costOfMessage(tableWritesPerClaim)
  return { ...cost, claims, total: sum(cost) + claims }
}

function costOfTraffic({ requests, gateRuns, functionRuns, redisCommands }: Traffic): TrafficCost {
  return {
    cdn: requests * prices.request,
    gate: gateRuns * (prices.gateRun + gbSecondsPerRun * prices.gateGbSecond),
    functions: functionRuns * (prices.functionRun + gbSecondsPerRun * prices.functionGbSecond),
    redis: redisCommands * prices.redisCommand,
  }
}

function costOfMessage(tableWrites: number): number {
  return queueCallsPerMessage * prices.queueCall + tableWrites * prices.tableWrite
}

const sum = ({ cdn, gate, functions, redis }: TrafficCost) => cdn + gate + functions + redis
