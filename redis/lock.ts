/** A sale's lock in the gate store. It is acquired with its expiry in one command (K3), and only its owner releases it (K4). */
import type { SaleId } from '../core/ids.ts'
import { type Commander, command } from './command.ts'
import { lockKey } from './keys.ts'
import renewSource from './renew.lua'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'
import unlockSource from './unlock.lua'

export const renewScript = defineScript('renew', renewSource)
const renewCodes = { renewed: 1, 'not-ours': 2 } as const
export const unlockScript = defineScript('unlock', unlockSource)
const unlockCodes = { unlocked: 1, 'not-ours': 2 } as const

/**
 * Acquires the lock for `ttlMs` unless it is held. Resolves with true when acquired. After a lost reply the lock may be
 * acquired until it expires.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function acquireLock(gate: Commander, saleId: SaleId, requestId: string, ttlMs: number): Promise<boolean> {
  const set = await command(gate, ['SET', lockKey(saleId), requestId, 'NX', 'PX', String(ttlMs)])
  return set === 'OK'
}

/** Renews the lock for `ttlMs` from now. Resolves with false when it is lost. @throws RedisUnavailable, UnexpectedReply */
export async function renewLock(gate: Commander, saleId: SaleId, requestId: string, ttlMs: number): Promise<boolean> {
  const [code] = await renewScript.run(gate, [lockKey(saleId)], [requestId, String(ttlMs)])
  return kindOf(renewCodes, code, 'renew') === 'renewed'
}

/**
 * Releases the lock. Resolves with false when the caller did not hold it any more. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function releaseLock(gate: Commander, saleId: SaleId, requestId: string): Promise<boolean> {
  const [code] = await unlockScript.run(gate, [lockKey(saleId)], [requestId])
  return kindOf(unlockCodes, code, 'unlock') === 'unlocked'
}
