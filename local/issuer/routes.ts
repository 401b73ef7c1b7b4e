/**
 * The paths of the local issuer: its own below `/local/issuer`, and its log-in page `/sign-in/`. It starts with the
 * first request, because loading it takes time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseShopperId } from '../../core/ids.ts'
import { plainText } from '../../core/lib/text.ts'
import { signInRoute } from '../../core/people/sign-in-paths.ts'
import { type Role, roles } from '../../core/roles.ts'
import { readBody } from '../cdn/body.ts'
import type { OidcIssuer } from './issuer.ts'

export type LocalIssuer = {
  /** Answers a request of the issuer or its log-in page; false for any other path. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

export type LocalIssuerOptions = {
  /** The origin of the shop. */
  shop: string
  client: { id: string; secret: string }
  log: (line: string) => void
}

const issuerPath = '/local/issuer'
const logInPath = '/sign-in/'

/** Returns its address for the shop at this origin. */
export const issuerUrl = (shop: string): string => shop + issuerPath

/** The ready-made accounts that have a role; any other name is a shopper. */
const accounts: ReadonlyMap<string, Role> = new Map([
  ['mia', 'marketer'],
  ['sam', 'support'],
  ['vic', 'viewer'],
])

/** Separates name and role in the login hint of a link. No name contains it. */
const separator = '/'

export function localIssuer(options: LocalIssuerOptions): LocalIssuer {
  let opened: Promise<OidcIssuer> | undefined
  const open = () => {
    opened ??= openIssuer(options)
    return opened
  }
  return {
    async routes(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', options.shop)
      if (pathname === issuerPath || pathname.startsWith(`${issuerPath}/`)) {
        await (await open()).handle(request, response)
        return true
      }
      if (pathname !== logInPath) return false
      if (request.method === 'POST') await logIn(await open(), request, response)
      else redirect(response, signInLocation(searchParams))
      return true
    },
  }
}

/** True for requests of `/sign-in/` that the issuer answers: the page itself is a file of the site. */
export function isLogInRequest(method: string | undefined, url: string): boolean {
  // Checked first, because this runs for every click of a rush, and parsing a URL is slow.
  if (!url.startsWith(logInPath)) return false
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  return pathname === logInPath && (method === 'POST' || !searchParams.has('uid'))
}

async function openIssuer({ shop, client, log }: LocalIssuerOptions): Promise<OidcIssuer> {
  const { createIssuer, newIssuerKey } = await import('./issuer.ts')
  const keys = [await newIssuerKey('local')]
  return createIssuer({ url: issuerUrl(shop), client, shop, keys, logInPage, log })
}

/** Returns where to redirect a link without an interaction: `/sign-in/?as=ann&role=marketer&return=/console/`. */
function signInLocation(query: URLSearchParams): string {
  const as = query.get('as') ?? ''
  const role = query.get('role') ?? ''
  const hint = role === '' ? as : as + separator + role
  return `${signInRoute}?${new URLSearchParams({ return: query.get('return') ?? '/', ...(hint !== '' && { login_hint: hint }) })}`
}

function logInPage({ uid, loginHint = '' }: { uid: string; loginHint: string | undefined }): string {
  const [as = '', role = accounts.get(as) ?? ''] = loginHint.split(separator)
  return `${logInPath}?${new URLSearchParams({ uid, ...(as !== '' && { as }), ...(role !== '' && { role }) })}`
}

const formLimitBytes = 4096

async function logIn(issuer: OidcIssuer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams((await readBody(request, formLimitBytes)).toString('utf8'))
  const name = parseShopperId(plainText(form.get('shopperId') ?? ''))
  // The page explains valid names; without its script it is shown again.
  if (name === undefined) return redirect(response, request.url ?? logInPath)
  const chosen = roles.find((role) => role === form.get('role'))
  const own = accounts.get(name)
  const account = {
    name,
    roles: [own, chosen].filter((role) => role !== undefined),
    email: emailOf(name),
    email_verified: true,
  }
  const amr = form.has('withoutSecondFactor') ? ['pwd'] : ['pwd', 'otp', 'mfa']
  const { searchParams } = new URL(request.url ?? logInPath, 'http://localhost')
  const uid = form.get('uid') ?? searchParams.get('uid') ?? ''
  // An interaction expires after an hour, or ends with the issuer.
  if (!(await issuer.logIn(uid, response, { name, account, amr }))) redirect(response, signInRoute)
}

/** Returns `ann@example.com` for ann; a name that is an address stays. */
function emailOf(name: string): string {
  return name.includes('@') ? name : `${name.replace(/[^\w.+-]/g, '-')}@example.com`
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end()
}
