/** The addresses of other systems that a marketer may name. */
import * as z from 'zod/mini'

/** An https address of at most 1000 characters, without a password or a fragment. */
export const secureAddress = z
  .string('must be a string')
  .check(z.maxLength(1000, 'must be at most 1000 characters'), z.refine(isSecure, 'must be an https address'))

/** One machine has no certificate; whether such an address is called there, its settings decide. */
function isSecure(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
}
