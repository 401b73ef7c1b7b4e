/**
 * The system that a command calls, and the token for it. A token is sent only to the system that
 * was named with it.
 */
import { checkedUrl, type Environment, exportedToken, isThisMachine } from '../exported-token.ts'

/** `from` is the source of the address, for the line that names the target of a change. */
export type Target = {
  url: string
  from: '--url' | 'SLUICE_URL' | 'the running local system' | 'the default'
}

/** `url` and `token` are flags; `environment` holds SLUICE_URL and SLUICE_TOKEN. */
export type Given = {
  url: string | undefined
  token: string | undefined
  environment: Environment
}

const defaultUrl = 'http://127.0.0.1:8787'

/**
 * The first of `--url`, SLUICE_URL, the running local system, and the default address.
 * @throws RangeError for an address that is not an http or https URL
 */
export async function targetOf(given: Given, running: () => Promise<string | undefined>): Promise<Target> {
  if (given.url !== undefined) return { url: checkedUrl(given.url, '--url'), from: '--url' }
  if (given.environment.url !== undefined) {
    return { url: checkedUrl(given.environment.url, 'SLUICE_URL'), from: 'SLUICE_URL' }
  }
  const local = await running()
  if (local !== undefined) return { url: local, from: 'the running local system' }
  return { url: defaultUrl, from: 'the default' }
}

/**
 * The token for `target`; undefined for local sign-in. `--token` belongs to `--url`, or to
 * SLUICE_URL; SLUICE_TOKEN belongs to SLUICE_URL.
 * @throws RangeError for a token without its system, unless local sign-in replaces it
 */
export function tokenFor(target: Target, { url, token, environment }: Given): string | undefined {
  if (token !== undefined) {
    if (url === undefined && environment.url === undefined) {
      throw new RangeError('--token needs --url: name the system that the token was made for')
    }
    return token
  }
  const exported = exportedToken(environment, target.url)
  if (exported.ok && exported.token !== undefined) return exported.token
  if (isThisMachine(target.url)) return undefined
  throw new RangeError(
    exported.ok
      ? `${target.url} is not this machine: give a marketer's token with --token or SLUICE_TOKEN`
      : exported.detail,
  )
}
