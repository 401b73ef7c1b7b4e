/** Makes sure that a token is sent only to its own system. SLUICE_TOKEN belongs to SLUICE_URL. */

/** SLUICE_URL and SLUICE_TOKEN, undefined when not set. */
export type CliEnvironment = { url: string | undefined; token: string | undefined }

/** `token` is undefined when none is set; `detail` says why a set token is not sent, and what to do. */
export type ExportedToken = { ok: true; token: string | undefined } | { ok: false; detail: string }

/**
 * Returns SLUICE_TOKEN if SLUICE_URL has the same origin as `target`.
 * @throws RangeError when SLUICE_URL is not an http or https URL, or no header can hold SLUICE_TOKEN
 */
export function exportedToken({ url, token }: CliEnvironment, target: string): ExportedToken {
  const owner = url === undefined ? undefined : checkedUrl(url, 'SLUICE_URL')
  if (token === undefined) return { ok: true, token }
  if (owner !== undefined && new URL(owner).origin === new URL(target).origin)
    return { ok: true, token: checkedToken(token, 'SLUICE_TOKEN') }
  const remedy =
    owner === undefined
      ? 'set SLUICE_URL to the system that the token was made for'
      : `it belongs to ${owner} (SLUICE_URL). Give this system's token with --token`
  return { ok: false, detail: `SLUICE_TOKEN is not sent to ${target}: ${remedy}` }
}

/**
 * Returns `token` if a header can contain it. Otherwise the error of `fetch` would print it.
 * @throws RangeError that names `source`
 */
export function checkedToken(token: string, source: string): string {
  if (/^[!-~]+$/.test(token)) return token
  throw new RangeError(`${source} has a space, a line break or another character that is in no token`)
}

/** True for a `url` on the loopback interface: the local system, with local sign-in and plain HTTP. */
export function isLoopback(url: string | URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

/**
 * Returns `url` without trailing slashes.
 * @throws RangeError that names `source`, for anything but an http or https URL
 */
export function checkedUrl(url: string, source: string): string {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError(`${source}: "${url}" is not an http address`)
  return url.replace(/\/+$/, '')
}
