/** Parses Redis replies. Each reader throws UnexpectedReply for any other shape. */
import type * as z from 'zod/mini'
import { readJson } from '../core/lib/parse.ts'
import type { Flag } from '../core/sale/phase.ts'
import { UnexpectedReply } from './errors.ts'

/** Reads an integer, sent as one or as decimal digits. `what` names it in the error. */
export function integer(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  throw new UnexpectedReply(`${what} is not an integer`)
}

export function text(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw new UnexpectedReply(`${what} is not text`)
}

export function list(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new UnexpectedReply(`${what} is not a list`)
}

export function flag(value: unknown): Flag {
  if (value === 'off' || value === 'on' || value === 'paused' || value === 'closed') return value
  throw new UnexpectedReply('flag is unknown')
}

/** Reads JSON text with `schema`. */
export function jsonReply<S extends z.core.$ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const read = readJson(schema, text(value, what))
  if (read.ok) return read.value
  throw new UnexpectedReply(`${what} is not what this version writes`)
}

/** Reads a start token, which is stored as empty text until the sale is first started. */
export function startToken(value: unknown): string | null {
  const token = text(value, 'startToken')
  return token === '' ? null : token
}

/** Returns the name of `code` in `codes`, the reply codes of the script `name`. */
export function kindOf<Kind extends string>(codes: Record<Kind, number>, code: unknown, name: string): Kind {
  for (const kind in codes) if (codes[kind] === code) return kind
  throw new UnexpectedReply(`${name} replied ${code}, not ${JSON.stringify(codes)}`)
}

/** Reads a flat list of names and values of HGETALL or HSCAN as pairs. */
export function pairs(value: unknown, what: string): [string, string][] {
  const flat = list(value, what)
  const found: [string, string][] = []
  for (let at = 0; at < flat.length; at += 2) found.push([text(flat[at], what), text(flat[at + 1], what)])
  return found
}
