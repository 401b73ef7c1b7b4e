/** Parses entries of the outbox: the message of reserve.lua, or the resent message of claim-due.lua. */
import { integer } from '../reply.ts'

/**
 * `body` is the order message as JSON, byte for byte as it is sent. `sends` counts resends, whether or not the queue accepted
 * them. `isRefused`: the queue rejected the last one. `sentAt` is the time of the last resend, epoch ms.
 */
export type OutboxEntry = { body: string; sends: number; isRefused: boolean; sentAt: number | undefined }

export function parseEntry(entry: string): OutboxEntry {
  const [, sends, sentAt, refused, body] =
    /^\{"sends":(\d+),"sentAt":(\d+),"isRefused":(\w+),"message":(.*)\}$/s.exec(entry) ?? []
  if (body === undefined) return { body: entry, sends: 0, isRefused: false, sentAt: undefined }
  return { body, sends: integer(sends, 'sends'), isRefused: refused === 'true', sentAt: integer(sentAt, 'sentAt') }
}
