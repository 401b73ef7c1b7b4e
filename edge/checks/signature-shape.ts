/**
 * Webhooks only: does the message look signed? Whether it is, the function finds out, which alone knows the secret;
 * here everything that cannot be is refused from memory.
 */
import { signatureHeaders } from '../../core/signature-headers.ts'
import { type EdgeHeaders, headerOf } from '../cloudfront.ts'
import { prebuiltProblem } from '../problem-response.ts'
import type { MemoryCheck } from '../visit.ts'

const unsigned = prebuiltProblem('signature-invalid', 'Sign the message as Standard Webhooks says.')

const bounds = Object.entries(signatureHeaders)

export const checkSignatureShape: MemoryCheck = ({ request: { headers } }) =>
  bounds.every(([name, maxLength]) => isBounded(headers, name, maxLength)) ? undefined : unsigned

function isBounded(headers: EdgeHeaders, name: string, maxLength: number): boolean {
  const header = headerOf(headers, name)
  return header.kind === 'one' && header.value !== '' && header.value.length <= maxLength
}
