/** The addresses of other systems that a marketer may name. */
import * as z from 'zod/mini'
import { urlIn } from './url-in.ts'

/** Characters of such an address, at most. */
export const maxAddress = 1000

/** An https address without a password or a fragment. */
export const secureAddress = z
  .string('must be a string')
  .check(
    z.maxLength(maxAddress, `must be at most ${maxAddress} characters`),
    z.refine(isSecure, 'must be an https address'),
  )

/** One machine has no certificate; whether such an address is called there, its settings decide. */
function isSecure(text: string): boolean {
  const url = urlIn(text)
  if (url === undefined) return false
  const { protocol, hostname, username, password, hash } = url
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
}
