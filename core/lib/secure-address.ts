/** The addresses of other systems that a marketer may name. */
import * as z from 'zod/mini'
import { urlIn } from './url-in.ts'

/** Maximum length of an address, in characters. */
export const maxAddress = 1000

/** An https address without a password or a fragment. */
export const secureAddress = z
  .string('must be a string')
  .check(
    z.maxLength(maxAddress, `must be at most ${maxAddress} characters`),
    z.refine(isSecure, 'must be an https address'),
  )

/** Accepts http://localhost too, because one machine has no certificate; its settings decide whether it is called. */
function isSecure(text: string): boolean {
  const url = urlIn(text)
  if (url === undefined) return false
  const { protocol, hostname, username, password, hash } = url
  if (username !== '' || password !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
}
