/**
 * The rules of the sources as stated there, each with its fault. The code is our own. Only tests and `bench --
 * deductions` may use it, to compare it with reserve.lua.
 */
import type { Commander } from '../../../redis/command.ts'

/** S1: counts up while the sum is within the total by the given comparison. */
export const s1 = (comparison: '<' | '<=') => `
  local total, ordered = unpack(redis.call('HMGET', KEYS[1], 'total', 'ordered'))
  if not (ordered + ARGV[1] ${comparison} total + 0) then return 0 end
  redis.call('HINCRBY', KEYS[1], 'ordered', ARGV[1])
  return tonumber(ARGV[1])`

/** S2: like S1, but returns 0 for every refusal and does not check the sign. */
export const s2 = `
  local wanted = tonumber(ARGV[1]) or 0
  local stockRecord = redis.call('HMGET', KEYS[1], 'Total', 'Booked')
  if wanted == 0 or not (stockRecord[1] and stockRecord[2]) or stockRecord[2] + wanted > stockRecord[1] + 0 then return 0 end
  redis.call('HINCRBY', KEYS[1], 'Booked', wanted)
  return wanted`

/** S4: takes one unit; returns the count before it, 1 for unlimited, -1 for a missing key. */
export const s4 = `
  local left = tonumber(redis.call('GET', KEYS[1]) or 'nan')
  if left ~= left then return -1 end
  if left == -1 then return 1 end
  if left < 1 then return 0 end
  redis.call('DECR', KEYS[1])
  return left`

/** S5: takes several units; returns the units left, -1 for unlimited, -2 for too few, -3 for a missing key. */
export const s5 = `
  local left = tonumber(redis.call('GET', KEYS[1]) or 'nan')
  if left ~= left then return -3 end
  if left == -1 then return -1 end
  if left < tonumber(ARGV[1]) then return -2 end
  return redis.call('DECRBY', KEYS[1], ARGV[1])`

/** S5, as its caller reads the reply: won when units are left, or when the stock is unlimited. */
export const isWonByS5 = (answer: unknown) => Number(answer) > 0 || Number(answer) === -1

/** S7, S8: decrements first; a result below zero means sold out. */
export const s7 = (redis: Commander, key: string, units = 1) => redis.exec(['DECRBY', key, String(units)])

/** S9, first step of the purchase call: true when this shopper has bought. */
export const hasBought = async (redis: Commander, key: string, shopper: string) =>
  (await redis.exec(['SISMEMBER', `${key}:buyers`, shopper])) === 1

/** S9, second step: records the shopper and decrements; returns 1 for bought, 0 for sold out. */
export async function takeOne(redis: Commander, key: string, shopper: string): Promise<0 | 1> {
  await redis.exec(['SADD', `${key}:buyers`, shopper])
  return Number(await redis.exec(['INCRBY', key, '-1'])) >= 0 ? 1 : 0
}

/** S9: the purchase call; returns -1 when the shopper has bought already. Other calls may run between its two steps. */
export const s9 = async (redis: Commander, key: string, shopper: string) =>
  (await hasBought(redis, key, shopper)) ? -1 : takeOne(redis, key, shopper)
