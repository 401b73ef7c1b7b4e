/**
 * A sample of the answers that shoppers received instead of units. Instances of the gate and of the functions write
 * them to slots of one hash, and `reconcile` moves them to the table each minute. Later answers replace earlier ones, so the
 * hash and the writes of a minute are bounded.
 */
import { parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { answersKey } from '../keys.ts'
import { pairs } from '../reply.ts'

/** What a shopper was answered in a sale: `code` is a `ProblemCode`, or that of a script. `at` is epoch ms, in whole seconds. */
export type NotedAnswer = { saleId: SaleId; shopperId: ShopperId; code: string; at: number }

/** Answers that are kept until the next run of `reconcile`. */
export const answerSlots = 1000

/** @throws RedisUnavailable when it is not known whether they were noted */
export async function noteAnswers(redis: Commander, firstSlot: number, answers: readonly NotedAnswer[]): Promise<void> {
  const fields = answers.flatMap(({ at, saleId, code, shopperId }, i) => [
    String((firstSlot + i) % answerSlots),
    `${at} ${saleId} ${code} ${shopperId}`,
  ])
  await command(redis, ['HSET', answersKey, ...fields])
}

/**
 * The noted answers, and the slots that are to be dropped once they are stored.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readNotedAnswers(
  redis: Commander,
): Promise<{ answers: readonly NotedAnswer[]; slots: readonly string[] }> {
  const found = pairs(await command(redis, ['HGETALL', answersKey]), 'noted answers')
  return { answers: found.flatMap(([, note]) => answerIn(note)), slots: found.map(([slot]) => slot) }
}

/** Safe to repeat. @throws RedisUnavailable */
export async function dropNotedAnswers(redis: Commander, slots: readonly string[]): Promise<void> {
  if (slots.length > 0) await command(redis, ['HDEL', answersKey, ...slots])
}

/** A leaked token of the edge may have written anything: what is no answer is left out. */
function answerIn(note: string): NotedAnswer[] {
  const [time, sale, code = '', shopper, ...more] = note.split(' ')
  const [saleId, shopperId, at] = [parseSaleId(sale), parseShopperId(shopper), Number(time)]
  const isWhole = Number.isSafeInteger(at) && at >= 0 && /^[a-z-]{1,40}$/.test(code) && more.length === 0
  return isWhole && saleId !== undefined && shopperId !== undefined ? [{ saleId, shopperId, code, at }] : []
}
