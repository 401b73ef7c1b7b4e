/** E-mails on this machine: an API for the shop as that of Amazon SES, and a page that shows what came. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody } from '../cdn/body.ts'
import { mailboxPath, renderMailbox } from './page.ts'
import { answerSendEmail, type SentEmail, sendEmailPath } from './ses-api.ts'

/** What the shop uses as the endpoint of SES, below the origin of the shop. */
export const sesPrefix = '/local/ses'

export type Mailbox = {
  /** Answers requests of the API and of the page; false for all others, which are left untouched. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** The newest first. */
  mails(): readonly SentEmail[]
}

/** More would only slow down the page. */
const maxMails = 200

const bodyLimitBytes = 1024 * 1024

/** Documents of e-mails get this policy too: they have styles in their elements, and load nothing. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** `clock` gives epoch ms. */
export function createMailbox(clock: () => number): Mailbox {
  const mails: SentEmail[] = []
  const keep = (mail: SentEmail) => {
    mails.unshift(mail)
    mails.length = Math.min(mails.length, maxMails)
  }
  return {
    mails: () => mails,
    async routes(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (request.method === 'POST' && pathname === sesPrefix + sendEmailPath) {
        const answer = answerSendEmail(await readBody(request, bodyLimitBytes), clock(), keep)
        const body = JSON.stringify(answer.body)
        write(response, answer.status, { 'content-type': 'application/json', ...answer.headers }, body)
        return true
      }
      if (request.method !== 'GET' || pathname !== mailboxPath) return false
      write(response, 200, headers, renderMailbox(mails, searchParams.get('to') ?? ''))
      return true
    },
  }
}

function write(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
