/** The operations of a shopper's wallet, and their answers. Times are epoch ms, amounts in minor units. */
import * as z from 'zod/mini'
import { parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import type { FullOperation } from './operation.ts'
import { readProblems } from './problem-sets.ts'

const saleId = readBy(parseSaleId, 'must be a sale id')
const money = { amount: z.number(), currency: z.string() }

/** A credited red packet. `balance` is the balance in its currency afterwards. */
const credit = z.object({
  saleId,
  packetId: z.string(),
  ...money,
  claimedAt: z.number(),
  creditedAt: z.number(),
  balance: z.number(),
})

/** `credits` are the latest, newest first; `balances` include all. `balanceUrl` is the shop's own page of the balance. */
const wallet = z.object({
  balances: z.readonly(z.array(z.object(money))),
  credits: z.readonly(z.array(credit)),
  balanceUrl: z.optional(z.string()),
})

export const walletApi = {
  getWallet: {
    method: 'GET',
    path: '/api/wallet',
    query: z.object({ credits: z.optional(z.literal('all', 'must be all')) }),
    answer: wallet,
    problems: readProblems,
  },
  /** `packet` is null for a shopper without one. A claim counts from its answer on, before it is credited. */
  findPacket: {
    method: 'GET',
    path: '/api/packets',
    query: z.object({ sale: saleId }),
    answer: z.object({ packet: z.nullable(z.object({ packetId: z.string(), ...money, claimedAt: z.number() })) }),
    problems: [...readProblems, 'not-found'],
  },
} as const satisfies Record<string, FullOperation>

export type Wallet = z.infer<typeof wallet>
export type WalletCredit = z.infer<typeof credit>
