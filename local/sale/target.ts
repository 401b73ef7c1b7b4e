/**
 * Which system a run of the command line talks to, and with which token. A token is sent to one system only: the one
 * that was named together with it.
 */

/** `kind` says where the address comes from, for the line that names the target of a change. */
export type Target = {
  url: string
  from: '--url' | 'SLUICE_URL' | 'the running local system' | 'the default'
}

/** `url` and `token` are those of the flags; `environment` those of SLUICE_URL and SLUICE_TOKEN. */
export type Given = {
  url: string | undefined
  token: string | undefined
  environment: { url: string | undefined; token: string | undefined }
}

const defaultUrl = 'http://127.0.0.1:8787'

/**
 * The first of `--url`, SLUICE_URL, the local system that runs now, and the default address.
 * @throws RangeError for an address that is not an http or https URL
 */
export async function targetOf(given: Given, running: () => Promise<string | undefined>): Promise<Target> {
  if (given.url !== undefined) return { url: checked(given.url, '--url'), from: '--url' }
  if (given.environment.url !== undefined) {
    return { url: checked(given.environment.url, 'SLUICE_URL'), from: 'SLUICE_URL' }
  }
  const local = await running()
  if (local !== undefined) return { url: local, from: 'the running local system' }
  return { url: defaultUrl, from: 'the default' }
}

/**
 * The token that may be sent to `target`, undefined when the local sign-in gives one. `--token` belongs to the `--url` beside
 * it, or to SLUICE_URL; SLUICE_TOKEN belongs to SLUICE_URL alone.
 * @throws RangeError when there is a token whose system was not named, and no local sign-in in its place
 */
export function tokenFor(target: Target, { url, token, environment }: Given): string | undefined {
  if (token !== undefined) {
    if (url === undefined && environment.url === undefined) {
      throw new RangeError('--token needs --url: name the system that the token was made for')
    }
    return token
  }
  const owner = environment.url === undefined ? undefined : checked(environment.url, 'SLUICE_URL')
  if (environment.token !== undefined && owner !== undefined && sameOrigin(owner, target.url)) {
    return environment.token
  }
  if (isThisMachine(target.url)) return undefined
  if (environment.token === undefined) {
    throw new RangeError(
      `${target.url} is not this machine: give a marketer token with --token or SLUICE_TOKEN`,
    )
  }
  throw new RangeError(
    owner === undefined
      ? `SLUICE_TOKEN is not sent to ${target.url}: set SLUICE_URL to the system that the token was made for`
      : `SLUICE_TOKEN is not sent to ${target.url}: it belongs to ${owner} (SLUICE_URL). Give this system's token with --token`,
  )
}

/** Whether `url` is on the loopback interface, where the local sign-in answers. */
export function isThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

function sameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin
}

/** Without a slash at its end, so that paths can follow. */
function checked(url: string, name: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError(`${name}: "${url}" is not an http address`)
  return url.replace(/\/+$/, '')
}
